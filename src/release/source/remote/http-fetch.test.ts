import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { LadingError } from '../../../core/index.ts'
import { httpFetch } from './http-fetch.ts'
import { type ChartServer, startChartServer } from '../../../../testing/chart-server.ts'

let server: ChartServer
beforeEach(async () => {
  server = await startChartServer()
  server.files.set('a', 'hello')
})
afterEach(() => server.stop())

const { signal } = new AbortController()
const redirectTo = (location: string) => {
  server.intercept = (request, response) => {
    if (request.url === '/a') return false
    response.writeHead(302, { location }).end()
    return true
  }
}

it('reads what is there, within its limit', async () => {
  const fetch = httpFetch()
  expect(String(await fetch(`${server.url}/a`, { limit: 5, signal }))).toBe('hello')
  await expect(fetch(`${server.url}/a`, { limit: 4, signal })).rejects.toMatchObject({ code: 'input.too-large' })
  await expect(fetch(`${server.url}/none`, { limit: 4, signal })).rejects.toMatchObject({ code: 'chart.not-found' })
})

it('follows a redirect, and no chain without end', async () => {
  redirectTo('/a')
  expect(String(await httpFetch()(`${server.url}/b`, { limit: 5, signal }))).toBe('hello')
  redirectTo('/b')
  await expect(httpFetch()(`${server.url}/b`, { limit: 5, signal })).rejects.toMatchObject({ code: 'repo.unsafe' })
})

it.for(['file:///etc/passwd', 'gopher://example.com/'])('does not follow a redirect to %s', async (location) => {
  redirectTo(location)
  await expect(httpFetch()(`${server.url}/b`, { limit: 5, signal })).rejects.toMatchObject({ code: 'repo.unsafe' })
})

it('does not follow a redirect from the internet into a private network', async () => {
  redirectTo(`${server.url}/a`)
  // As if this machine's name were one of the internet.
  const fetch = httpFetch({ isPrivate: async (host) => host !== 'localhost' })
  const url = server.url.replace('127.0.0.1', 'localhost')
  await expect(fetch(`${url}/b`, { limit: 5, signal })).rejects.toMatchObject({ code: 'repo.unsafe' })
  expect(server.requests.map(({ path }) => path)).toEqual(['b'])
})

it('does not let an index of the internet name an address of a private network', async () => {
  const fetch = httpFetch({ isPrivate: async (host) => host !== 'localhost' })
  const namedBy = server.url.replace('127.0.0.1', 'localhost')
  const asked = (by: string) => fetch(`${server.url}/a`, { limit: 5, signal, namedBy: by })
  await expect(asked(namedBy)).rejects.toMatchObject({ code: 'repo.unsafe' })
  expect(server.requests).toEqual([])
  expect(String(await asked(server.url))).toBe('hello')
})

it('says that a server cannot be reached, without the query of the address', async () => {
  const gone = await startChartServer()
  await gone.stop()
  const failure = httpFetch()(`${gone.url}/a?token=hush`, { limit: 5, signal })
  await expect(failure).rejects.toMatchObject({
    code: 'repo.unreachable',
    message: expect.not.stringContaining('hush'),
  })
})

it('goes through the proxy of the environment, and never through it into a private network', async () => {
  const asked: string[] = []
  const proxy = createServer(({ url, headers }, response) => {
    asked.push(`${url} ${headers['proxy-authorization']}`)
    if (url === 'http://charts.example/inside') response.writeHead(302, { location: 'http://vault.internal/' }).end()
    else response.end('by proxy')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const fetch = httpFetch({ env: { http_proxy: `http://jane:hush@${host}`, no_proxy: 'direct.invalid' } })
  expect(String(await fetch('http://charts.example/index.yaml', { limit: 9, signal }))).toBe('by proxy')
  expect(asked).toEqual([`http://charts.example/index.yaml Basic ${Buffer.from('jane:hush').toString('base64')}`])
  await expect(fetch('http://charts.example/inside', { limit: 9, signal })).rejects.toMatchObject({
    code: 'repo.unsafe',
  })
  await expect(fetch('http://direct.invalid/', { limit: 9, signal })).rejects.toMatchObject({
    code: 'repo.unreachable',
  })
  expect(asked).toHaveLength(2)
  const gone = httpFetch({ env: { http_proxy: 'http://jane:hush@127.0.0.1:1' } })
  const failure = gone('http://charts.example/', { limit: 9, signal })
  await expect(failure).rejects.toThrow('cannot be fetched through the proxy 127.0.0.1:1')
})

it('carries credentials to no other host, and not back from there', async () => {
  const other = await startChartServer()
  other.intercept = (_request, response) => {
    response.writeHead(302, { location: `${server.url}/a` }).end()
    return true
  }
  redirectTo(`${other.url}/c`)
  const headers = { authorization: 'Basic aHVzaA==' }
  expect(String(await httpFetch()(`${server.url}/b`, { limit: 5, signal, headers }))).toBe('hello')
  await other.stop()
  expect([...server.requests, ...other.requests].map(({ path, authorization }) => [path, authorization])).toEqual([
    ['b', headers.authorization],
    ['a', undefined],
    ['c', undefined],
  ])
})

it('sends a body by POST, also where a redirect leads, and asks before it follows one', async () => {
  const seen: string[] = []
  server.intercept = (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += String(chunk)))
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${text}`)
      if (request.url === '/old') response.writeHead(301, { location: '/new' }).end()
      else response.end('done')
    })
    return true
  }
  const asked: string[] = []
  const body = Buffer.from('question')
  const onRedirect = (url: string) => void asked.push(url)
  expect(String(await httpFetch()(`${server.url}/old`, { limit: 9, signal, body, onRedirect }))).toBe('done')
  expect(asked).toEqual([`${server.url}/new`])
  expect(seen).toEqual(['POST /old question', 'POST /new question'])
  const refuse = () => {
    throw new LadingError('kustomize.refused', 'not there')
  }
  const refused = httpFetch()(`${server.url}/old`, { limit: 9, signal, body, onRedirect: refuse })
  await expect(refused).rejects.toMatchObject({ code: 'kustomize.refused' })
  expect(seen).toHaveLength(3)
})

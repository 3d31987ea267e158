import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { LadingError } from '../core/index.ts'
import type { NetFailure } from './failure.ts'
import { follow, type FollowedRequest, type FollowOptions } from './follow.ts'
import { createNetwork } from './network.ts'

const { signal } = new AbortController()
const addresses: Readonly<Record<string, string>> = { 'public.example': '203.0.113.7', 'vault.example': '10.1.2.3' }
const explain = (failure: NetFailure) =>
  new LadingError('repo.unsafe', failure.kind === 'redirect' ? failure.problem : failure.kind)

/** Servers that answer with these redirects, and with 200 to everything else; nothing leaves this process. */
function servers(redirects: Readonly<Record<string, string>>) {
  const seen: string[] = []
  const network = createNetwork(
    {
      resolve: async (host) => [{ address: addresses[host] ?? '203.0.113.8', family: 4 }],
      dial: async ({ method, url, headers }, [to]) => {
        seen.push(`${method} ${url.href} at ${to?.address} ${headers['authorization'] ?? '-'}`)
        const location = redirects[url.href]
        const status = location === undefined ? 200 : 302
        return { status, headers: { location }, body: Readable.from([]), url }
      },
    },
    explain,
  )
  const ask = (url: string, more: Partial<FollowedRequest> = {}, options: FollowOptions = {}) => {
    const request = {
      method: 'GET',
      url: new URL(url),
      headers: {},
      credentials: { authorization: 'x' },
      ...more,
    } as const
    return follow(network, request, options, explain, signal)
  }
  return { seen, ask }
}

it('credentials go to no other origin, and do not come back from there', async () => {
  const { seen, ask } = servers({
    'https://public.example/a': 'https://cdn.example/b',
    'https://cdn.example/b': 'https://public.example/c',
  })
  expect((await ask('https://public.example/a')).status).toBe(200)
  expect(seen).toEqual([
    'GET https://public.example/a at 203.0.113.7 x',
    'GET https://cdn.example/b at 203.0.113.8 -',
    'GET https://public.example/c at 203.0.113.7 -',
  ])
})

it.each([
  ['https://vault.example/', 'forbidden'],
  ['https://vault.internal/', 'forbidden'],
  ['https://127.0.0.1/', 'forbidden'],
  ['https://[::1]/', 'forbidden'],
  ['http://cdn.example/', 'unencrypted'],
  ['https://me:hush@cdn.example/', 'user'],
  ['file:///etc/passwd', 'not-http'],
  ['https://public.example/a', 'too-many'],
])('a server of the internet does not get its clients to %s: %s', async (location, problem) => {
  const { seen, ask } = servers({ 'https://public.example/a': location })
  await expect(ask('https://public.example/a')).rejects.toMatchObject({ message: problem })
  expect(seen.every((each) => each.includes(' https://public.example/a '))).toBe(true)
})

it('a server of a private network may send its clients to another one there', async () => {
  const { seen, ask } = servers({ 'https://vault.example/a': 'https://10.1.2.4/b' })
  await ask('https://vault.example/a')
  expect(seen).toHaveLength(2)
})

it('an address that somebody of the internet named is not asked on a private network', async () => {
  const { seen, ask } = servers({})
  const namedBy = new URL('https://public.example/index.yaml')
  await expect(ask('https://vault.example/a', {}, { namedBy })).rejects.toMatchObject({ message: 'forbidden' })
  expect(seen).toEqual([])
})

it('a server that names itself with http behind a proxy that ends TLS is still asked by https', async () => {
  const { seen, ask } = servers({ 'https://public.example:8443/a': 'http://public.example/b' })
  await ask('https://public.example:8443/a')
  expect(seen[1]).toBe('GET https://public.example:8443/b at 203.0.113.7 x')
})

it('content is sent on only where that is asked for, and each target can be refused', async () => {
  const { seen, ask } = servers({ 'https://public.example/a': 'https://public.example/b' })
  const post = { method: 'POST', body: Buffer.from('content') } as const
  expect((await ask('https://public.example/a', post)).status).toBe(302)
  expect((await ask('https://public.example/a', post, { resend: true })).status).toBe(200)
  const onRedirect = (url: URL) => {
    throw new LadingError('repo.refused', url.pathname)
  }
  await expect(ask('https://public.example/a', {}, { onRedirect })).rejects.toMatchObject({ message: '/b' })
  expect(seen).toHaveLength(4)
})

import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../core/index.ts'
import { type Registry, type RegistryOptions, startRegistry } from './start-registry.ts'
import { imageManifest, refusal, registryClient, sha256 } from './testdata/registry-client.ts'

const credentials = { user: 'jane', password: 'secret:with:colons' }
const basic = `Basic ${Buffer.from('jane:secret:with:colons').toString('base64')}`

describe('a registry with basic authentication', () => {
  it('wants the right user for everything', async () => {
    const { url } = await start({ auth: { basic: credentials } })
    for (const headers of [{}, { authorization: `Basic ${btoa('jane:wrong')}` }, { authorization: 'Bearer x' }]) {
      const answer = await fetch(`${url}/v2/`, { headers: headers as Record<string, string> })
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="lading"')
      expect(await refusal(answer)).toEqual([401, 'UNAUTHORIZED'])
    }
    expect((await fetch(`${url}/v2/`, { headers: { authorization: basic } })).status).toBe(200)
  })
})

describe('a registry without authentication', () => {
  it.each<[Record<string, string>, number]>([
    [{}, 200],
    [{ host: 'localhost:5000' }, 200],
    [{ host: 'rebound.example.com' }, 403],
    [{ origin: 'https://example.com' }, 403],
  ])('answers %j with %i, so that no web page reaches it', async (headers, expected) => {
    const { url } = await start({})
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${url}/v2/`, { headers }, (answer) => resolve(answer.resume().statusCode))
      asked.on('error', reject).end()
    })
    expect(status).toBe(expected)
  })
})

describe('a registry with tokens', () => {
  it('tells where to get one, for what the request needs', async () => {
    const { url, host } = await start({ auth: { token: credentials } })
    const answer = await fetch(`${url}/v2/team/app/blobs/uploads/?mount=${sha256('x')}&from=base`, { method: 'POST' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="${url}/token",service="${host}",scope="repository:team/app:pull,push repository:base:pull"`,
    )
  })

  it('lets a token do what it was given for, until it expires', async () => {
    const clock = manualClock()
    const { url } = await start({ auth: { token: { ...credentials, ttlSeconds: 60 } }, clock })
    const token = await tokenFor(url, 'scope=repository:app:pull')
    const authorization = `Bearer ${token}`
    expect((await fetch(`${url}/v2/app/tags/list`, { headers: { authorization } })).status).toBe(404)
    const push = await fetch(`${url}/v2/app/blobs/uploads/`, { method: 'POST', headers: { authorization } })
    expect(push.status).toBe(401)
    expect(push.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect((await fetch(`${url}/v2/other/tags/list`, { headers: { authorization } })).status).toBe(401)
    await clock.advance(61_000)
    const late = await fetch(`${url}/v2/app/tags/list`, { headers: { authorization } })
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('gives tokens to forms as well, and none to strangers', async () => {
    const { url } = await start({ auth: { token: credentials } })
    const form = (password: string): Promise<Response> =>
      fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'password',
          username: 'jane',
          password,
          scope: 'repository:app:pull repository:base:pull,push',
        }),
      })
    const { access_token: token } = (await (await form(credentials.password)).json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/v2/base/blobs/uploads/`, { method: 'POST', headers })).status).toBe(202)
    expect((await form('wrong')).status).toBe(401)
    expect((await fetch(`${url}/token?scope=repository:app:pull`)).status).toBe(401)
  })

  it('lets anybody pull where that is wanted, and only pull', async () => {
    const { url } = await start({ auth: { token: { ...credentials, anonymousPull: true } } })
    const answer = await fetch(`${url}/token?scope=repository:app:pull,push`)
    const { token } = (await answer.json()) as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/v2/app/tags/list`, { headers })).status).toBe(404)
    expect((await fetch(`${url}/v2/app/blobs/uploads/`, { method: 'POST', headers })).status).toBe(401)
  })
})

describe('limits', () => {
  it('refuses writes to a registry that is read only', async () => {
    const { url } = await start({ readOnly: true })
    const client = registryClient(url)
    expect(await refusal(await client.send('POST', '/v2/app/blobs/uploads/'))).toEqual([405, 'UNSUPPORTED'])
    expect(await refusal(await client.send('DELETE', '/v2/app/manifests/v1'))).toEqual([405, 'UNSUPPORTED'])
    expect((await client.send('GET', '/v2/')).status).toBe(200)
  })

  it('refuses blobs and manifests that are too large with 413', async () => {
    const { url } = await start({ maxBlobBytes: 10 })
    const client = registryClient(url)
    const location = await client.beginUpload('app')
    expect((await client.send('PATCH', location, 'x'.repeat(8))).status).toBe(202)
    expect((await client.send('PATCH', location, 'x'.repeat(8))).status).toBe(413)
    const manifest = imageManifest(sha256('{}'), 2, { annotations: { long: 'x'.repeat(5 * 1024 * 1024) } })
    expect((await client.pushManifest('app', 'v1', manifest)).status).toBe(413)
  })

  it('takes a blob in a single request', async () => {
    const { url } = await start({})
    const client = registryClient(url)
    const digest = sha256('at once')
    const answer = await client.send('POST', `/v2/app/blobs/uploads/?digest=${digest}`, 'at once')
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v2/app/blobs/${digest}`])
  })

  it.each([
    ['/v2/../../etc/manifests/v1', 404],
    ['/v2/a/manifests/-no-tag', 400],
    ['/v2/UPPER/manifests/v1', 400],
    ['/v2/a/manifests/%', 400],
    ['/v2/a%2Fb/manifests/v1', 400],
    ['/elsewhere', 404],
  ])('answers %s with %i', async (path, status) => {
    const { url } = await start({})
    expect((await fetch(`${url}${path}`)).status).toBe(status)
  })
})

async function start(options: RegistryOptions): Promise<Registry> {
  const registry = await startRegistry(options)
  onTestFinished(() => registry.stop())
  return registry
}

async function tokenFor(url: string, query: string): Promise<string> {
  const answer = await fetch(`${url}/token?service=x&${query}`, { headers: { authorization: basic } })
  const { token, expires_in: seconds } = (await answer.json()) as { token: string; expires_in: number }
  expect(seconds).toBe(60)
  return token
}

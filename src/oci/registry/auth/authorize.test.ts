import { describe, expect, it, onTestFinished } from 'vitest'
import { context, type LadingError, manualClock } from '../../../core/index.ts'
import { isPrivateAddress } from '../../../net/index.ts'
import { type RegistryOptions as Embedded, startRegistry } from '../../../sandbox/index.ts'
import { blob } from '../../contract/fixtures.ts'
import { type Credential, type CredentialSource, staticCredential } from '../../credentials/credential.ts'
import { fetchAll, type Target } from '../../target.ts'
import { parseChallenge } from './challenge.ts'
import { registryNetwork } from '../network/registry-network.ts'
import { openRepository, type RegistryOptions } from '../open-repository.ts'
import { mayHaveCredentials } from './token-hosts.ts'
import { type FaultProxy, startFaultProxy } from '../testdata/fault-proxy.ts'

const user = { user: 'jane', password: 'open sesame' }
const jane = { username: user.user, password: user.password }
const { d, bytes } = blob('secret content')

describe('tokens', () => {
  it('are asked for once for each need, and used until they expire', async () => {
    const clock = manualClock(1_700_000_000_000)
    const ctx = context({ clock })
    const { proxy, target } = await start({ auth: { token: { ...user, ttlSeconds: 100 } }, clock })
    for (let times = 0; times < 3; times++) await target.push(d, bytes, ctx)
    await Promise.all(Array.from({ length: 5 }, () => target.exists(d, ctx)))
    expect(tokensAsked(proxy)).toEqual(['repository:app:pull,push'])
    await clock.advance(95_000)
    proxy.seen.length = 0
    expect(await target.exists(d, ctx)).toBe(true)
    // Before it expires: no request is wasted on one that is too old.
    expect(proxy.seen.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
      'GET /token',
      `HEAD /v2/app/blobs/${d.digest}`,
    ])
  })

  it.each([600_000, -600_000])('are used for as long as they live when the clock is set by %d ms', async (jump) => {
    const clock = manualClock(1_700_000_000_000)
    const ctx = context({ clock })
    // The registry has a clock of its own.
    const { proxy, target } = await start({ auth: { token: { ...user, ttlSeconds: 100 } } })
    await target.push(d, bytes, ctx)
    clock.jump(jump)
    await clock.advance(80_000)
    proxy.seen.length = 0
    await target.exists(d, ctx)
    expect(tokensAsked(proxy)).toEqual([])
    await clock.advance(15_000)
    await target.exists(d, ctx)
    expect(tokensAsked(proxy)).toHaveLength(1)
  })

  it('that the registry does not take any more are replaced', async () => {
    const clock = manualClock(1_700_000_000_000)
    const { proxy, target } = await start({ auth: { token: { ...user, ttlSeconds: 100 } }, clock })
    await target.push(d, bytes, context())
    await clock.advance(200_000)
    proxy.seen.length = 0
    await target.push(d, bytes, context())
    expect(proxy.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'PUT'])
  })

  it('are given to nobody with a wrong password, which is not shown', async () => {
    const { target } = await start({ auth: { token: user } }, { username: 'jane', password: 'hunter2' })
    const error = await failure(() => target.exists(d, context()))
    expect(error.code).toBe('oci.unauthorized')
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain('hunter2')
  })

  it('come from a refresh token by a form, and from OAuth 2 servers that know no GET', async () => {
    const { proxy, target } = await start({ auth: { token: user } }, { refreshToken: 'refresh me' })
    const asked: string[] = []
    proxy.fault = ({ method, path, headers }) => {
      if (path.startsWith('/token')) {
        asked.push(method)
        return { answer: 200, body: JSON.stringify({ access_token: 'abc' }) }
      }
      return headers.authorization === 'Bearer abc' ? { answer: 200 } : undefined
    }
    expect(await code(() => target.exists({ ...d, size: 0 }, context()))).toBe('it worked')
    expect(asked).toEqual(['POST'])

    const other = await start({ auth: { token: user } })
    other.proxy.fault = ({ method, path }) =>
      path.startsWith('/token') && method === 'GET' ? { answer: 405 } : undefined
    await other.target.push(d, bytes, context())
    expect(await other.target.exists(d, context())).toBe(true)
  })

  it('that are configured are sent as they are', async () => {
    const { proxy, target } = await start({ auth: { token: user } }, { accessToken: 'ready' })
    proxy.fault = ({ headers }) => (headers.authorization === 'Bearer ready' ? { answer: 404 } : undefined)
    expect(await target.exists(d, context())).toBe(false)
  })

  it('are asked for anonymously where anybody may pull', async () => {
    const { proxy, target } = await start({ auth: { token: { ...user, anonymousPull: true } } }, {})
    expect(await target.exists(d, context())).toBe(false)
    expect(proxy.seen.every(({ headers }) => !headers.authorization?.startsWith('Basic'))).toBe(true)
    expect(await code(() => target.push(d, bytes, context()))).toBe('oci.unauthorized')
  })
})

describe('credentials', () => {
  it('are not looked up before a registry asks for them', async () => {
    const refuse: CredentialSource = () => Promise.reject(new Error('nobody asked'))
    const { target } = await start({}, refuse)
    expect(await target.exists(d, context())).toBe(false)
  })

  it('that are missing are asked for', async () => {
    const { target } = await start({ auth: { basic: user } }, {})
    const error = await failure(() => target.exists(d, context()))
    expect(error.code).toBe('oci.unauthorized')
    expect(error.message).toContain('wants a user and a password')
  })

  it('are taken out of what a registry says', async () => {
    const { proxy, target } = await start({ auth: { basic: user } })
    proxy.fault = ({ headers }) =>
      headers.authorization === undefined
        ? undefined
        : { answer: 403, body: JSON.stringify({ errors: [{ code: 'DENIED', message: 'not with open sesame' }] }) }
    const error = await failure(() => target.tags(context()))
    expect(error.code).toBe('oci.denied')
    expect(error.message).toContain('answered 403 DENIED: not with ***')
  })

  it('stay with the registry when it redirects to another host', async () => {
    const storage = await proxyTo(undefined)
    storage.fault = () => ({ answer: 200, body: bytes })
    const { proxy, target } = await start({ auth: { basic: user } })
    await target.push(d, bytes, context())
    proxy.fault = ({ method, headers }) =>
      method === 'GET' && headers.authorization !== undefined
        ? { answer: 307, headers: { location: `http://${storage.host}/bucket/blob?signature=x` } }
        : undefined
    expect(Buffer.from(await fetchAll(target, d, 1000, context()))).toEqual(Buffer.from(bytes))
    expect(storage.seen[0]?.path).toBe('/bucket/blob?signature=x')
    expect(storage.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('are not given to another host that asks for them, nor back to the registry after it', async () => {
    const storage = await proxyTo(undefined)
    storage.fault = () => ({
      answer: 401,
      headers: { 'www-authenticate': `Bearer realm="http://${storage.host}/token"` },
    })
    const { proxy, target } = await start({ auth: { basic: user } })
    await target.push(d, bytes, context())
    proxy.fault = ({ method }) =>
      method === 'GET' ? { answer: 302, headers: { location: `http://${storage.host}/x` } } : undefined
    expect(await code(() => fetchAll(target, d, 1000, context()))).toBe('oci.unauthorized')
    expect(storage.seen.map(({ path }) => path)).toEqual(['/x'])
    storage.fault = () => ({ answer: 302, headers: { location: `http://${proxy.host}/back` } })
    proxy.seen.length = 0
    proxy.fault = ({ path }) =>
      path === '/back' ? { answer: 404 } : { answer: 302, headers: { location: `http://${storage.host}/x` } }
    expect(await code(() => fetchAll(target, d, 1000, context()))).toBe('oci.not-found')
    expect(proxy.seen.at(-1)?.headers.authorization).toBeUndefined()
  })

  it.each(['file:///etc/passwd', 'http://jane:x@127.0.0.1/', 'ftp://x/'])('are not lost to %s', async (location) => {
    const { proxy, target } = await start({})
    proxy.fault = () => ({ answer: 302, headers: { location } })
    expect(await code(() => fetchAll(target, d, 1000, context()))).toBe('oci.unsafe')
  })

  it('end a redirect that goes in circles', async () => {
    const { proxy, target } = await start({})
    proxy.fault = ({ path }) => ({ answer: 302, headers: { location: path } })
    expect(await code(() => fetchAll(target, d, 1000, context()))).toBe('oci.unsafe')
    expect(proxy.seen).toHaveLength(6)
  })
})

describe('a token server that a registry names', () => {
  const names = (proxy: FaultProxy, realm: string) => {
    proxy.fault = ({ headers }) =>
      headers.authorization === undefined
        ? { answer: 401, headers: { 'www-authenticate': `Bearer realm="${realm}",service="x"` } }
        : { answer: 404 }
  }

  it('on another host gets no credentials, neither a password nor a refresh token', async () => {
    const other = await proxyTo(undefined)
    for (const credential of [jane, { refreshToken: 'refresh me' }]) {
      const { proxy, target } = await start({}, credential)
      names(proxy, `http://${other.host}/token`)
      const error = await failure(() => target.exists(d, context()))
      expect(error.code).toBe('oci.unsafe')
      expect(error.message).toContain(`allow it with --allow-token-host ${other.host}`)
      expect(JSON.stringify(error) + error.message).not.toMatch(/sesame|refresh me/)
    }
    expect(other.seen).toEqual([])
  })

  it('gets them once its host was allowed, and nobody is asked for them anonymously', async () => {
    const other = await proxyTo(undefined)
    other.fault = () => ({ answer: 200, body: JSON.stringify({ token: 'granted' }) })
    const { proxy, open } = await start({})
    names(proxy, `http://${other.host}/token`)
    expect(await open(false, { tokenHosts: [other.host] }).exists(d, context())).toBe(false)
    expect(other.seen.map(({ headers }) => headers.authorization?.split(' ')[0])).toEqual(['Basic'])
    const anonymous = await start({}, {})
    names(anonymous.proxy, `http://${other.host}/token`)
    expect(await anonymous.target.exists(d, context())).toBe(false)
    expect(other.seen.at(-1)?.headers.authorization).toBeUndefined()
  })

  it.each([
    ['https://registry.example.com', 'https://registry.example.com/token', true],
    ['https://registry.example.com', 'https://auth.example.com/token', true],
    ['https://registry.example.com', 'https://example.com/jwt', true],
    ['https://example.com', 'https://auth.example.com/token', true],
    ['https://registry.example.co.uk', 'https://auth.example.co.uk/', true],
    ['https://example.co.uk', 'https://other.co.uk/', false],
    ['https://registry.example.com', 'https://auth.example.org/', false],
    ['https://registry.example.com', 'https://badexample.com/', false],
    ['https://example.com', 'https://other.com/', false],
    ['https://registry.example.com', 'https://auth.example.com:8443/', false],
    ['https://registry.example.com:5000', 'https://registry.example.com:5000/token', true],
    ['http://registry.example.com', 'http://auth.example.com/', false],
    ['http://127.0.0.1:5000', 'http://127.0.0.1:5001/token', false],
    ['https://10.0.0.1', 'https://0.0.1/', false],
    ['https://registry', 'https://other/', false],
  ])('of %s at %s may have its credentials: %s', (registry, realm, expected) => {
    expect(mayHaveCredentials(new URL(realm), new URL(registry))).toBe(expected)
  })

  it('is allowed by host and port alone', () => {
    const registry = new URL('https://registry.example.com')
    const may = (realm: string, host: string) => mayHaveCredentials(new URL(realm), registry, [host])
    expect(may('https://auth.example.org/', 'auth.example.org')).toBe(true)
    expect(may('https://auth.example.org/', 'auth.example.org:443')).toBe(true)
    expect(may('https://auth.example.org:8443/', 'auth.example.org')).toBe(false)
    expect(may('https://sub.auth.example.org/', 'auth.example.org')).toBe(false)
  })
})

describe('a registry on the internet', () => {
  it('gets no client to ask for tokens, or go, inside of a private network', async () => {
    const inside = await proxyTo(undefined)
    inside.fault = () => ({ answer: 200, body: JSON.stringify({ token: 'x' }) })
    const { proxy, open } = await start({})
    const target = open(true)
    proxy.fault = () => ({
      answer: 401,
      headers: { 'www-authenticate': `Bearer realm="http://${inside.host}/token",service="x"` },
    })
    expect(await code(() => target.exists(d, context()))).toBe('oci.unsafe')
    proxy.fault = () => ({ answer: 302, headers: { location: `http://localhost:${inside.host.split(':')[1]}/` } })
    expect(await code(() => fetchAll(open(true), d, 1000, context()))).toBe('oci.unsafe')
    expect(inside.seen).toEqual([])
    // The same registry, on the private network itself.
    expect(await code(() => fetchAll(open(false), d, 1000, context()))).toBe('oci.digest-mismatch')
    expect(inside.seen).not.toEqual([])
  })

  it.each(['ftp://x/token', 'http://jane:x@127.0.0.1/token', 'token'])('names no token server %s', async (realm) => {
    const { proxy, target } = await start({})
    proxy.fault = () => ({ answer: 401, headers: { 'www-authenticate': `Bearer realm="${realm}"` } })
    expect(await code(() => target.exists(d, context()))).toBe('oci.unsafe')
  })
})

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['8.8.8.8', false],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:8.8.8.8', false],
  ['fe80::1', true],
  ['fe80::1%eth0', true],
  ['fec0::1', true],
  ['ff02::1', true],
  ['::127.0.0.1', true],
  ['::8.8.8.8', true],
  ['::ffff:0:10.0.0.1', true],
  ['2002:7f00:1::', true],
  ['2002:a00:1::1', true],
  ['2002:c0a8:101::1', true],
  ['2002:808:808::1', false],
  ['2001:0:7f00:1::', true],
  ['64:ff9b::7f00:1', true],
  ['64:ff9b:1::1', true],
  ['0.0.0.0', true],
  ['100.64.0.1', true],
  ['192.0.0.8', true],
  ['198.18.0.1', true],
  ['224.0.0.1', true],
  ['255.255.255.255', true],
  ['no address', true],
  ['fd00::1', true],
  ['64:ff9b::a9fe:a9fe', true],
  ['64:ff9b::8.8.8.8', false],
  ['2606:4700::1', false],
])('the address %s is private: %s', (address, expected) => expect(isPrivateAddress(address)).toBe(expected))

it.each([
  ['Basic realm="x"', { scheme: 'basic' }],
  [
    'Bearer realm="https://a/token",service="s",scope="repository:a:pull,push repository:b:pull"',
    {
      scheme: 'bearer',
      realm: 'https://a/token',
      service: 's',
      scopes: ['repository:a:pull,push', 'repository:b:pull'],
    },
  ],
  ['Basic realm="x", bearer Realm=https://a', { scheme: 'bearer', realm: 'https://a', service: undefined, scopes: [] }],
  ['Bearer realm="a\\"b"', { scheme: 'bearer', realm: 'a"b', service: undefined, scopes: [] }],
  ['Negotiate', undefined],
  ['', undefined],
  [undefined, undefined],
])('the challenge %j is understood', (text, expected) => expect(parseChallenge(text)).toEqual(expected))

interface Started {
  readonly proxy: FaultProxy
  readonly target: Target
  /** Another client; to it the registry is on the internet, or on a private network. */
  readonly open: (onInternet: boolean, more?: RegistryOptions) => Target
}

async function start(embedded: Embedded, credential: Credential | CredentialSource = jane): Promise<Started> {
  const registry = await startRegistry(embedded)
  onTestFinished(() => registry.stop())
  const proxy = await proxyTo(registry.host)
  const credentials = typeof credential === 'function' ? credential : staticCredential(proxy.host, credential)
  const options = { plainHttp: true, credentials }
  const open = (onInternet: boolean, more: RegistryOptions = {}): Target => {
    const network = { ...registryNetwork({}), ...(onInternet && { isPrivate: () => Promise.resolve(false) }) }
    const target = openRepository({ registry: proxy.host, repository: 'app' }, { ...options, ...more }, network)
    onTestFinished(() => target.close())
    return target
  }
  return { proxy, target: open(false), open }
}

async function proxyTo(host: string | undefined): Promise<FaultProxy> {
  const proxy = await startFaultProxy(host)
  onTestFinished(() => proxy.stop())
  return proxy
}

function tokensAsked(proxy: FaultProxy): string[] {
  return proxy.seen
    .filter(({ path }) => path.startsWith('/token'))
    .map(({ path }) => new URL(path, 'http://x').searchParams.getAll('scope').join(' '))
}

async function failure(work: () => Promise<unknown>): Promise<LadingError> {
  return work().then(
    () => expect.fail('it worked'),
    (error: LadingError) => error,
  )
}

async function code(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => 'it worked',
    (error: LadingError) => error.code,
  )
}

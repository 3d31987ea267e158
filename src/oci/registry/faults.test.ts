import { beforeEach, describe as suite, expect, it, onTestFinished } from 'vitest'
import { type Clock, type Context, context, type LadingError } from '../../core/index.ts'
import { type RegistryOptions as Embedded, startRegistry } from '../../sandbox/index.ts'
import { copy } from '../copy.ts'
import { finish, largeBlob, blob, manifestOf } from '../contract/fixtures.ts'
import { staticCredential } from '../credentials/credential.ts'
import { fetchAll, type Target } from '../target.ts'
import { openRepository, type RegistryOptions } from './open-repository.ts'
import { type FaultProxy, startFaultProxy } from './testdata/fault-proxy.ts'

const megabyte = 1024 * 1024
let slept: number[]
let ctx: Context

beforeEach(() => {
  slept = []
  ctx = context({ clock: instantClock(slept) })
})

suite('a pull', () => {
  it('goes on where a connection broke, by a range', async () => {
    const { proxy, target } = await start()
    const { d, bytes } = largeBlob(megabyte)
    await target.push(d, bytes, ctx)
    proxy.seen.length = 0
    const cuts = [200_000, 300_000]
    proxy.fault = () => (cuts.length > 0 ? { cutAnswerAfter: cuts.shift() ?? 0 } : undefined)
    expect(Buffer.from(await fetchAll(target, d, megabyte, ctx)).equals(Buffer.from(bytes))).toBe(true)
    const ranges = proxy.seen.map(({ headers }) => headers.range)
    expect(ranges[0]).toBeUndefined()
    expect(ranges).toHaveLength(3)
    const starts = ranges.slice(1).map((range) => Number(/^bytes=(\d+)-1048575$/.exec(range ?? '')?.[1]))
    expect(starts[0]).toBeGreaterThan(0)
    expect(starts[1]).toBeGreaterThan(starts[0] ?? 0)
  })

  it('goes on where a registry does not know ranges', async () => {
    const { proxy, target } = await start()
    const { d, bytes } = largeBlob(megabyte)
    await target.push(d, bytes, ctx)
    let cut = false
    proxy.fault = () => {
      if (cut) return { without: 'range' }
      cut = true
      return { cutAnswerAfter: 300_000 }
    }
    expect(Buffer.from(await fetchAll(target, d, megabyte, ctx)).equals(Buffer.from(bytes))).toBe(true)
  })

  it('of an answer that ends too early goes on, and fails where it never gets further', async () => {
    const { proxy, target } = await start()
    const { d, bytes } = largeBlob(100_000)
    await target.push(d, bytes, ctx)
    let first = true
    proxy.fault = () => {
      if (!first) return undefined
      first = false
      return { endAnswerAfter: 40_000 }
    }
    expect(Buffer.from(await fetchAll(target, d, megabyte, ctx)).equals(Buffer.from(bytes))).toBe(true)
    proxy.fault = ({ headers }) => ({ endAnswerAfter: headers.range === undefined ? 40_000 : 0 })
    expect(await code(() => fetchAll(target, d, megabyte, ctx))).toBe('oci.digest-mismatch')
  })

  it('of more than the descriptor says is not read on', async () => {
    const { proxy, target } = await start()
    const { d, bytes } = blob('small')
    await target.push(d, bytes, ctx)
    proxy.fault = () => ({
      answer: 200,
      headers: { 'transfer-encoding': 'chunked' },
      body: new Uint8Array(10 * megabyte),
    })
    expect(await code(() => fetchAll(target, d, megabyte, ctx))).toBe('oci.digest-mismatch')
    proxy.fault = () => ({ answer: 200, body: 'smal!' })
    expect(await code(() => fetchAll(target, d, megabyte, ctx))).toBe('oci.digest-mismatch')
  })
})

suite('a push', () => {
  it('begins again where a connection broke', async () => {
    const { proxy, target } = await start()
    const { d, bytes } = largeBlob(megabyte)
    let cuts = 2
    proxy.fault = ({ method }) => (method === 'PUT' && cuts-- > 0 ? { cutRequestAfter: 300_000 } : undefined)
    await target.push(d, bytes, ctx)
    expect(proxy.seen.filter(({ method }) => method === 'PUT')).toHaveLength(3)
    expect(await target.exists(d, ctx)).toBe(true)
    const streamed = largeBlob(megabyte, 2)
    cuts = 1
    await target.push(streamed.d, () => pieces(streamed.bytes), ctx)
    expect(await target.exists(streamed.d, ctx)).toBe(true)
  })

  it('in pieces goes on where a connection broke', async () => {
    const { proxy, target } = await start({}, { chunkBytes: 300_000 })
    const { d, bytes } = largeBlob(megabyte)
    let patches = 0
    proxy.fault = ({ method }) => (method === 'PATCH' && ++patches === 2 ? { cutRequestAfter: 100_000 } : undefined)
    await target.push(d, () => pieces(bytes), ctx)
    expect(Buffer.from(await fetchAll(target, d, megabyte, ctx)).equals(Buffer.from(bytes))).toBe(true)
    // One session, asked once how far it is.
    const methods = proxy.seen.map(({ method }) => method).filter((method) => method !== 'PATCH')
    expect(methods).toEqual(['POST', 'GET', 'PUT', 'GET'])
    expect(patches).toBe(5)
    const sent = proxy.seen.filter(({ method }) => method === 'PATCH').map(({ headers }) => headers['content-range'])
    expect(sent[0]).toBe('0-299999')
    expect(sent[1]).toBe('300000-599999')
    expect(sent[2]).toMatch(/^\d+-599999$/)
  })

  it('to a registry that takes no pieces is sent as a whole', async () => {
    const { proxy, target } = await start({}, { chunkBytes: 300_000 })
    const { d, bytes } = largeBlob(megabyte)
    proxy.fault = ({ method }) => (method === 'PATCH' ? { answer: 405 } : undefined)
    await target.push(d, () => pieces(bytes), ctx)
    expect(await target.exists(d, ctx)).toBe(true)
  })

  it('that fails for good takes its upload back', async () => {
    const { proxy, target } = await start()
    const { d, bytes } = largeBlob(100_000)
    proxy.fault = ({ method }) => (method === 'PUT' ? { answer: 413 } : undefined)
    expect(await code(() => target.push(d, bytes, ctx))).toBe('oci.too-large')
    expect(proxy.seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE'])
  })

  it('to an upload elsewhere carries no credentials', async () => {
    const elsewhere = await proxyTo(undefined)
    elsewhere.fault = () => ({ answer: 201 })
    const { proxy, target } = await start({ auth: { basic: user } })
    proxy.fault = ({ method }) =>
      method === 'POST' ? { answer: 202, headers: { location: `http://${elsewhere.host}/up?x=1` } } : undefined
    // The first request learns how to log in.
    await target.exists(blob('x').d, ctx)
    const { d, bytes } = blob('far away')
    await target.push(d, bytes, ctx)
    expect(proxy.seen.at(-1)?.headers.authorization).toMatch(/^Basic /)
    expect(elsewhere.seen[0]?.path).toBe(`/up?x=1&digest=${encodeURIComponent(d.digest)}`)
    expect(elsewhere.seen[0]?.headers.authorization).toBeUndefined()
  })
})

suite('a busy or failing registry', () => {
  it('is asked again when it says so', async () => {
    const { proxy, target } = await start()
    let times = 4
    proxy.fault = () => (times-- > 0 ? { answer: 429, headers: { 'retry-after': '7' } } : undefined)
    expect(await target.exists(blob('x').d, ctx)).toBe(false)
    expect(slept).toHaveLength(4)
    for (const ms of slept) expect(ms).toBeGreaterThanOrEqual(7000)
  })

  it.each([
    [429, 'oci.throttled', 8],
    [503, 'oci.server-error', 5],
    [501, 'oci.server-error', 1],
    [400, 'oci.refused', 1],
  ])('that always answers %i is given up', async (status, expected, attempts) => {
    const { proxy, target } = await start()
    proxy.fault = () => ({ answer: status })
    expect(await code(() => target.resolve('v1', ctx))).toBe(expected)
    expect(proxy.seen).toHaveLength(attempts)
  })

  it('that asks to come back tomorrow is not waited for', async () => {
    const { proxy, target } = await start()
    proxy.fault = () => ({ answer: 429, headers: { 'retry-after': '86400' } })
    expect(await code(() => target.resolve('v1', ctx))).toBe('oci.throttled')
    expect(slept).toEqual([])
  })

  it('that is not there is unreachable', async () => {
    const { proxy, target } = await start()
    await proxy.stop()
    expect(await code(() => target.resolve('v1', ctx))).toBe('oci.unreachable')
    expect(slept).toHaveLength(4)
    const { d, bytes } = blob('x')
    expect(await code(() => target.push(d, bytes, ctx))).toBe('oci.unreachable')
    expect(slept).toHaveLength(8)
  })

  it('stops being asked when the work is cancelled', async () => {
    const { proxy, target } = await start()
    const stop = new AbortController()
    proxy.fault = () => {
      stop.abort()
      return { answer: 503 }
    }
    expect(await code(() => target.resolve('v1', { ...ctx, signal: stop.signal }))).toBe('cancelled')
    expect(proxy.seen).toHaveLength(1)
  })
})

suite('answers that are too large', () => {
  const huge = { answer: 200, headers: { 'transfer-encoding': 'chunked' }, body: new Uint8Array(9 * megabyte).fill(32) }

  it('are not read', async () => {
    const { proxy, target } = await start()
    proxy.fault = ({ method }) => (method === 'HEAD' ? { answer: 200 } : huge)
    expect(await code(() => target.resolve('v1', ctx))).toBe('oci.too-large')
    expect(await code(() => target.tags(ctx))).toBe('oci.too-large')
    proxy.fault = () => ({ ...huge, answer: 403 })
    expect(await code(() => target.tags(ctx))).toBe('oci.denied')
  })

  it('are not read from token servers either', async () => {
    const { proxy, target } = await start({ auth: { token: user } })
    proxy.fault = ({ path }) => (path.startsWith('/token') ? huge : undefined)
    expect(await code(() => target.resolve('v1', ctx))).toBe('oci.too-large')
  })
})

suite('a list of tags', () => {
  it('is read page by page', async () => {
    const { proxy, target } = await start()
    proxy.fault = ({ path }) => {
      const last = /last=(\w+)/.exec(path)?.[1]
      if (last === undefined) return page(['b', 'a'], '/v2/app/tags/list?n=2&last=b')
      return last === 'b' ? page(['c'], `http://${proxy.host}/v2/app/tags/list?last=c`) : page([], undefined)
    }
    expect(await target.tags(ctx)).toEqual(['a', 'b', 'c'])
  })

  it('never goes on at another host, nor for ever', async () => {
    const { proxy, target } = await start()
    proxy.fault = () => page(['a'], 'http://127.0.0.1:1/v2/app/tags/list')
    expect(await code(() => target.tags(ctx))).toBe('oci.unsafe')
    proxy.fault = () => page(['a'], '/v2/app/tags/list?last=a')
    expect(await code(() => target.tags(ctx))).toBe('oci.too-large')
  })

  const page = (tags: string[], next: string | undefined) => ({
    answer: 200,
    headers: { ...(next !== undefined && { link: `<${next}>; rel="next"` }) },
    body: JSON.stringify({ name: 'app', tags }),
  })
})

suite('a copy within one registry', () => {
  it('that is there already is proven by HEADs alone', async () => {
    const { proxy, target, open } = await start({ auth: { token: user } })
    const other = open('other')
    await pushApp(target)
    await finish(copy(target, 'v1', other, 'v1', {}, ctx))
    proxy.seen.length = 0
    const { result } = await finish(copy(target, 'v1', other, 'v1', {}, ctx))
    expect(result.present).toBe(1)
    expect(proxy.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'HEAD /v2/app/manifests/v1',
      'HEAD /v2/other/manifests/v1',
    ])
  })

  it('moves blobs by mounting, without sending them', async () => {
    const { proxy, target, open } = await start({ auth: { token: user } })
    await pushApp(target)
    proxy.seen.length = 0
    const { result } = await finish(copy(target, 'v1', open('other'), 'v1', {}, ctx))
    expect(result).toMatchObject({ mounted: 2, copied: 1 })
    const writes = proxy.seen.filter(
      ({ method, path }) => !['GET', 'HEAD'].includes(method) && path.startsWith('/v2/other'),
    )
    const done = writes.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
    expect(new Set(done)).toEqual(new Set(['POST /v2/other/blobs/uploads/', 'PUT /v2/other/manifests/v1']))
  })
})

const user = { user: 'jane', password: 'open sesame' }

interface Started {
  readonly proxy: FaultProxy
  readonly target: Target
  readonly open: (repository: string) => Target
}

async function start(embedded: Embedded = {}, options: RegistryOptions = {}): Promise<Started> {
  const registry = await startRegistry(embedded)
  onTestFinished(() => registry.stop())
  const proxy = await proxyTo(registry.host)
  const credentials = staticCredential(proxy.host, { username: user.user, password: user.password })
  const open = (repository: string): Target => {
    const name = { registry: proxy.host, repository }
    const target = openRepository(name, { plainHttp: true, credentials, ...options })
    onTestFinished(() => target.close())
    return target
  }
  return { proxy, target: open('app'), open }
}

async function proxyTo(host: string | undefined): Promise<FaultProxy> {
  const proxy = await startFaultProxy(host)
  onTestFinished(() => proxy.stop())
  return proxy
}

async function pushApp(target: Target): Promise<void> {
  const [config, layer] = [blob('{}'), blob('app')]
  for (const { d, bytes } of [config, layer]) await target.push(d, bytes, ctx)
  const manifest = manifestOf(config.d, [layer.d])
  await target.pushTagged(manifest.d, manifest.bytes, 'v1', ctx)
}

async function code(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => 'it worked',
    (error: LadingError) => error.code,
  )
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

function instantClock(slept: number[]): Clock {
  let now = 1_700_000_000_000
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
    },
  }
}

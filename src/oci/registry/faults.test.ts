import { beforeEach, describe as suite, expect, it } from 'vitest'
import { type Context, context } from '../../core/index.ts'
import { copy } from '../copy.ts'
import { blob, finish, manifestOf } from '../contract/fixtures.ts'
import type { Target } from '../target.ts'
import { code, instantClock, start, user } from './testdata/faulty-registry.ts'

const megabyte = 1024 * 1024
let slept: number[]
let ctx: Context

beforeEach(() => {
  slept = []
  ctx = context({ clock: instantClock(slept) })
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

async function pushApp(target: Target): Promise<void> {
  const [config, layer] = [blob('{}'), blob('app')]
  for (const { d, bytes } of [config, layer]) await target.push(d, bytes, ctx)
  const manifest = manifestOf(config.d, [layer.d])
  await target.pushTagged(manifest.d, manifest.bytes, 'v1', ctx)
}

import { beforeEach, describe as suite, expect, it } from 'vitest'
import { type Context, context } from '../../core/index.ts'
import { blob, largeBlob } from '../contract/fixtures.ts'
import { fetchAll } from '../target.ts'
import { code, instantClock, proxyTo, start, user } from './testdata/faulty-registry.ts'

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

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

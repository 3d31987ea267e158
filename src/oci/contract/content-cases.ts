import assert from 'node:assert/strict'
import { describe } from '../descriptor.ts'
import { fetchAll } from '../target.ts'
import { blob, largeBlob, refused, textOf } from './fixtures.ts'
import { type ContractCase, contractCase } from './harness.ts'

const limit = 64 * 1024 * 1024

/** Blobs. */
export const contentCases: readonly ContractCase[] = [
  contractCase('gives back the bytes that were pushed', async (c) => {
    const { d, bytes } = blob('hello')
    assert.equal(await c.target.exists(d, c.ctx), false)
    await c.target.push(d, bytes, c.ctx)
    assert.equal(await c.target.exists(d, c.ctx), true)
    assert.equal(await textOf(c.target, d, c), 'hello')
  }),
  contractCase('takes content that is there again', async (c) => {
    const { d, bytes } = blob('twice')
    await c.target.push(d, bytes, c.ctx)
    await c.target.push(d, bytes, c.ctx)
    assert.equal(await textOf(c.target, d, c), 'twice')
  }),
  contractCase('takes empty content', async (c) => {
    const { d, bytes } = blob('')
    await c.target.push(d, bytes, c.ctx)
    assert.equal(await textOf(c.target, d, c), '')
  }),
  contractCase('takes content by sha512', async (c) => {
    const bytes = new TextEncoder().encode('long digest')
    const d = describe('application/octet-stream', bytes, { algorithm: 'sha512' })
    await c.target.push(d, bytes, c.ctx)
    assert.equal(await textOf(c.target, d, c), 'long digest')
  }),
  contractCase('streams large content both ways', async (c) => {
    const { d, bytes } = largeBlob(3 * 1024 * 1024 + 17)
    await c.target.push(d, () => inChunks(bytes, 100_000), c.ctx)
    assert.deepEqual(Buffer.from(await fetchAll(c.target, d, limit, c.ctx)), Buffer.from(bytes))
  }),
  contractCase('says that content is not there', async (c) => {
    const { d } = blob('never pushed')
    await refused(() => fetchAll(c.target, d, limit, c.ctx), 'oci.not-found')
    await refused(() => c.target.delete(d, c.ctx), 'oci.not-found')
  }),
  contractCase('refuses bytes that are not what their digest says, and keeps nothing', async (c) => {
    const { d } = blob('right')
    const wrong = new TextEncoder().encode('wrong')
    await refused(() => c.target.push(d, wrong, c.ctx), 'oci.digest-mismatch')
    await refused(() => c.target.push(d, () => inChunks(wrong, 2), c.ctx), 'oci.digest-mismatch')
    assert.equal(await c.target.exists(d, c.ctx), false)
  }),
  contractCase('refuses streams that are too short or too long, and keeps nothing', async (c) => {
    const { d, bytes } = largeBlob(200_000)
    const longer = Buffer.concat([bytes, bytes])
    await refused(
      () => c.target.push(d, () => inChunks(bytes.subarray(0, 150_000), 9999), c.ctx),
      'oci.digest-mismatch',
    )
    await refused(() => c.target.push(d, () => inChunks(longer, 9999), c.ctx), 'oci.digest-mismatch')
    assert.equal(await c.target.exists(d, c.ctx), false)
  }),
  contractCase('keeps nothing of a stream that fails', async (c) => {
    const { d, bytes } = largeBlob(200_000)
    await assert.rejects(c.target.push(d, () => failing(bytes), c.ctx))
    assert.equal(await c.target.exists(d, c.ctx), false)
  }),
  contractCase('refuses a digest that could be a path', async (c) => {
    const d = { mediaType: 'text/plain', digest: 'sha256:../../../etc/passwd', size: 3 }
    await refused(() => fetchAll(c.target, d, limit, c.ctx), 'oci.digest-invalid', 'oci.not-found')
    await refused(() => c.target.push(d, new Uint8Array(3), c.ctx), 'oci.digest-invalid')
  }),
  contractCase('does not read more than is allowed', async (c) => {
    const { d, bytes } = blob('much too much')
    await c.target.push(d, bytes, c.ctx)
    await refused(() => fetchAll(c.target, d, 5, c.ctx), 'oci.too-large')
  }),
  contractCase('never gives content of another size as whole', async (c) => {
    const { d, bytes } = blob('ten letters')
    await c.target.push(d, bytes, c.ctx)
    await refused(() => fetchAll(c.target, { ...d, size: d.size + 1 }, limit, c.ctx), 'oci.digest-mismatch')
    await refused(() => fetchAll(c.target, { ...d, size: d.size - 1 }, limit, c.ctx), 'oci.digest-mismatch')
  }),
  contractCase('refuses content that was tampered with', async (c) => {
    if (c.tamper === undefined) return
    const { d, bytes } = blob('pay 10')
    await c.target.push(d, bytes, c.ctx)
    await c.tamper(d, new TextEncoder().encode('pay 99'))
    await refused(() => fetchAll(c.target, d, limit, c.ctx), 'oci.digest-mismatch')
    await c.tamper(d, new TextEncoder().encode('pay'))
    await refused(() => fetchAll(c.target, d, limit, c.ctx), 'oci.digest-mismatch')
  }),
  contractCase('forgets content that is deleted', async (c) => {
    const { d, bytes } = blob('gone')
    await c.target.push(d, bytes, c.ctx)
    await c.target.delete(d, c.ctx)
    assert.equal(await c.target.exists(d, c.ctx), false)
  }),
  contractCase('stops at once when it is cancelled', async (c) => {
    const stop = new AbortController()
    const { d, bytes } = largeBlob(400_000)
    const ctx = { ...c.ctx, signal: stop.signal }
    const stream = async function* () {
      yield bytes.subarray(0, 1000)
      stop.abort()
      yield* inChunks(bytes.subarray(1000, 399_000), 1000)
      // A target that does not look at the signal gets wrong content.
      throw new Error('read on')
    }
    await assert.rejects(c.target.push(d, stream, ctx))
    assert.equal(await c.target.exists(d, c.ctx), false)
  }),
  contractCase('takes many at once', async (c) => {
    const all = Array.from({ length: 20 }, (_, index) => blob(`number ${index}`))
    await Promise.all(all.map(({ d, bytes }) => c.target.push(d, bytes, c.ctx)))
    const there = await Promise.all(all.map(({ d }) => c.target.exists(d, c.ctx)))
    assert.ok(there.every(Boolean))
  }),
]

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

async function* failing(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes.subarray(0, 100_000)
  throw new Error('the disk failed')
}

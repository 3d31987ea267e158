import assert from 'node:assert/strict'
import { copy } from '../copy.ts'
import { memoryTarget } from '../memory-target.ts'
import type { Target } from '../target.ts'
import {
  artifact,
  type Content,
  finish,
  indexOf,
  largeBlob,
  manifestOf,
  blob,
  referrer,
  refused,
  textOf,
} from './fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from './harness.ts'

/** Copies from and to the target. */
export const copyCases: readonly ContractCase[] = [
  contractCase('copies an artifact out and in again, byte by byte', async (c) => {
    const { root, texts } = await platforms(c)
    const memory = memoryTarget()
    await finish(copy(c.target, 'all', memory, 'all', {}, c.ctx))
    const back = c.another('back')
    const { result } = await finish(copy(memory, root.d.digest, back, 'again', {}, c.ctx))
    assert.equal(result.descriptor.digest, root.d.digest)
    assert.equal((await back.resolve('again', c.ctx)).digest, root.d.digest)
    for (const { d, bytes } of texts) assert.equal(await textOf(back, d, c), new TextDecoder().decode(bytes))
  }),
  contractCase('copies between two of its kind', async (c) => {
    const { root } = await platforms(c)
    const other = c.another('other')
    const { result, events } = await finish(copy(c.target, 'all', other, 'all', { concurrency: 2 }, c.ctx))
    assert.equal((await other.resolve('all', c.ctx)).digest, root.d.digest)
    assert.equal(result.copied + result.mounted, events.length)
    // Two layers, their one config, two manifests and the index.
    assert.equal(events.length, 6)
    assert.equal(events.at(-1)?.type === 'blob' && events.at(-1), events.at(-1))
  }),
  contractCase('copies nothing the second time', async (c) => {
    await platforms(c)
    const other = c.another('other')
    await finish(copy(c.target, 'all', other, 'all', {}, c.ctx))
    const { result } = await finish(copy(c.target, 'all', other, 'all', {}, c.ctx))
    assert.deepEqual(
      { ...result, descriptor: undefined },
      { descriptor: undefined, copied: 0, mounted: 0, present: 1, bytes: 0 },
    )
  }),
  contractCase('writes only the tag where all else is there', async (c) => {
    const { root } = await platforms(c)
    const other = c.another('other')
    await finish(copy(c.target, 'all', other, undefined, {}, c.ctx))
    const { result } = await finish(copy(c.target, 'all', other, 'late', {}, c.ctx))
    assert.equal(result.copied, 0)
    assert.equal((await other.resolve('late', c.ctx)).digest, root.d.digest)
  }),
  contractCase('sends only what is missing', async (c) => {
    const shared = largeBlob(50_000)
    const config = blob('{}')
    for (const { d, bytes } of [shared, config]) await c.target.push(d, bytes, c.ctx)
    const versions: Content[] = []
    for (const text of ['one', 'two']) {
      const own = blob(text)
      await c.target.push(own.d, own.bytes, c.ctx)
      const manifest = manifestOf(config.d, [shared.d, own.d])
      await c.target.pushTagged(manifest.d, manifest.bytes, text, c.ctx)
      versions.push(manifest)
    }
    const memory = memoryTarget()
    await finish(copy(c.target, 'one', memory, 'one', {}, c.ctx))
    const { result } = await finish(copy(c.target, 'two', memory, 'two', {}, c.ctx))
    assert.equal(result.present, 2)
    assert.equal(result.bytes, 3 + (versions[1]?.d.size ?? 0))
  }),
  contractCase('brings along what refers to it where that is wanted', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    const sbom = await referrer(c, d, 'application/vnd.example.sbom')
    const plain = c.another('plain')
    await finish(copy(c.target, 'v1', plain, 'v1', {}, c.ctx))
    assert.deepEqual(await plain.referrers(d, undefined, c.ctx), [])
    const { result } = await finish(copy(c.target, 'v1', plain, 'v1', { referrers: true }, c.ctx))
    assert.ok(result.copied > 0)
    const [found] = await plain.referrers(d, undefined, c.ctx)
    assert.equal(found?.digest, sbom.d.digest)
  }),
  contractCase('brings along what cosign keeps under tags, of the children of an index too', async (c) => {
    const { root, manifests } = await platforms(c)
    const other = c.another('signed')
    await finish(copy(c.target, 'all', other, 'all', {}, c.ctx))
    const signatures = new Map<string, string>()
    for (const { d } of [root, ...manifests]) {
      const signature = await artifact(c, `signature of ${d.digest}`)
      const tag = `${d.digest.replace(':', '-')}.sig`
      await c.target.pushTagged(signature.d, signature.bytes, tag, c.ctx)
      signatures.set(tag, signature.d.digest)
    }
    await finish(copy(c.target, 'all', other, 'all', { referrers: true }, c.ctx))
    for (const [tag, digest] of signatures) assert.equal((await other.resolve(tag, c.ctx)).digest, digest)
    const { result } = await finish(copy(c.target, 'all', other, 'all', { referrers: true }, c.ctx))
    assert.equal(result.copied, 0)
  }),
  contractCase('leaves what was signed elsewhere, and says so', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    const tag = `${d.digest.replace(':', '-')}.sig`
    const [ours, theirs] = [
      await artifact(c, 'our signature'),
      await artifact(c, 'their signature', c.another('signed')),
    ]
    await c.target.pushTagged(ours.d, ours.bytes, tag, c.ctx)
    const other = c.another('signed')
    await other.pushTagged(theirs.d, theirs.bytes, tag, c.ctx)
    const { events } = await finish(copy(c.target, 'v1', other, 'v1', { referrers: true }, c.ctx))
    assert.equal((await other.resolve(tag, c.ctx)).digest, theirs.d.digest)
    assert.equal((await other.resolve('v1', c.ctx)).digest, d.digest)
    assert.ok(events.some((event) => event.type === 'warning' && event.message.includes(tag)))
  }),
  contractCase('says what is missing at the source, and leaves nothing that looks whole', async (c) => {
    const memory = memoryTarget()
    await refused(() => finish(copy(memory, 'v1', c.target, 'v1', {}, c.ctx)), 'oci.not-found')
    const { d, bytes } = await artifact(c, 'app', memory)
    await memory.pushTagged(d, bytes, 'v1', c.ctx)
    await memory.delete(blob('app').d, c.ctx)
    await refused(() => finish(copy(memory, 'v1', c.target, 'v1', {}, c.ctx)), 'oci.not-found')
    await refused(() => c.target.resolve('v1', c.ctx), 'oci.not-found')
    assert.equal(await c.target.exists(d, c.ctx), false)
  }),
  contractCase('refuses a source that gives wrong content, and leaves nothing that looks whole', async (c) => {
    const memory = memoryTarget()
    const { d, bytes } = await artifact(c, 'right', memory)
    await memory.pushTagged(d, bytes, 'v1', c.ctx)
    await refused(() => finish(copy(lying(memory), 'v1', c.target, 'v1', {}, c.ctx)), 'oci.digest-mismatch')
    await refused(() => c.target.resolve('v1', c.ctx), 'oci.not-found')
    assert.equal(await c.target.exists(blob('right').d, c.ctx), false)
  }),
]

/** An index of two artifacts that share a config. */
async function platforms(
  c: CaseContext,
): Promise<{ root: Content; manifests: readonly Content[]; texts: readonly Content[] }> {
  const manifests: Content[] = []
  for (const text of ['for amd64', 'for arm64']) {
    const manifest = await artifact(c, text)
    await c.target.push(manifest.d, manifest.bytes, c.ctx)
    manifests.push(manifest)
  }
  const root = indexOf(manifests.map(({ d }) => d))
  await c.target.pushTagged(root.d, root.bytes, 'all', c.ctx)
  return { root, manifests, texts: [blob('for amd64'), blob('for arm64')] }
}

/** A target whose layer is another than it says, and that does not check. */
function lying(target: Target): Target {
  const wrong = blob('wrong').bytes
  return {
    ...target,
    fetch: async (d, ctx) => (d.digest === blob('right').d.digest ? stream(wrong) : target.fetch(d, ctx)),
  }
}

async function* stream(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}

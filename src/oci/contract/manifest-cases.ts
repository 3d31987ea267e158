import assert from 'node:assert/strict'
import { describe } from '../descriptor.ts'
import { maxManifestBytes, mediaTypes, parseManifest } from '../manifest.ts'
import { fetchAll } from '../target.ts'
import { artifact, blob, indexOf, manifestOf, refused } from './fixtures.ts'
import { type ContractCase, contractCase } from './harness.ts'

/** Manifests and tags. */
export const manifestCases: readonly ContractCase[] = [
  contractCase('finds a manifest by tag and by digest', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    for (const name of ['v1', d.digest]) assert.deepEqual(await c.target.resolve(name, c.ctx), d)
    const fetched = await fetchAll(c.target, d, maxManifestBytes, c.ctx)
    assert.deepEqual(Buffer.from(fetched), Buffer.from(bytes))
    assert.deepEqual(await c.target.tags(c.ctx), ['v1'])
  }),
  contractCase('keeps a manifest without a tag', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    assert.equal(await c.target.exists(d, c.ctx), false)
    await c.target.push(d, bytes, c.ctx)
    assert.equal(await c.target.exists(d, c.ctx), true)
    assert.deepEqual(await c.target.resolve(d.digest, c.ctx), d)
  }),
  contractCase('tags what is there, several times', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.push(d, bytes, c.ctx)
    for (const tag of ['v2', 'latest', 'v1']) await c.target.tag(d, tag, c.ctx)
    assert.deepEqual(await c.target.tags(c.ctx), ['latest', 'v1', 'v2'])
    assert.deepEqual(await c.target.resolve('latest', c.ctx), d)
  }),
  contractCase('moves a tag, and still finds what lost it by its digest', async (c) => {
    const [first, second] = [await artifact(c, 'one'), await artifact(c, 'two')]
    await c.target.pushTagged(first.d, first.bytes, 'v1', c.ctx)
    await c.target.pushTagged(second.d, second.bytes, 'v1', c.ctx)
    assert.equal((await c.target.resolve('v1', c.ctx)).digest, second.d.digest)
    assert.equal((await c.target.resolve(first.d.digest, c.ctx)).digest, first.d.digest)
    assert.deepEqual(await c.target.tags(c.ctx), ['v1'])
  }),
  contractCase('says that a tag or a digest is not there', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    await refused(() => c.target.resolve('v2', c.ctx), 'oci.not-found')
    await refused(() => c.target.resolve(blob('other').d.digest, c.ctx), 'oci.not-found')
    await refused(() => c.target.tag({ ...d, digest: blob('other').d.digest }, 'v3', c.ctx), 'oci.not-found')
  }),
  contractCase('refuses what cannot be a tag', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.push(d, bytes, c.ctx)
    for (const tag of ['', '../v1', '-x', 'a'.repeat(129), 'a b', 'v1?x=y']) {
      await refused(async () => c.target.tag(d, tag, c.ctx), 'oci.reference-invalid')
      await refused(async () => c.target.resolve(tag, c.ctx), 'oci.reference-invalid')
    }
  }),
  contractCase('refuses a manifest before what it refers to', async (c) => {
    const { d, bytes } = manifestOf(blob('{}').d, [blob('not pushed').d])
    await refused(() => c.target.push(d, bytes, c.ctx), 'oci.incomplete')
    await refused(() => c.target.pushTagged(d, bytes, 'v1', c.ctx), 'oci.incomplete')
    await refused(() => c.target.resolve('v1', c.ctx), 'oci.not-found')
  }),
  contractCase('refuses what is no manifest, or too large for one', async (c) => {
    const { d, bytes } = blob('{"schemaVersion":1}', mediaTypes.ociManifest)
    await refused(() => c.target.push(d, bytes, c.ctx), 'oci.manifest-invalid')
    const large = new Uint8Array(maxManifestBytes + 1)
    const described = describe(mediaTypes.ociManifest, large)
    await refused(() => c.target.push(described, large, c.ctx), 'oci.too-large')
  }),
  contractCase('keeps Docker’s manifests as they are', async (c) => {
    const [config, layer] = [blob('{}', mediaTypes.dockerConfig), blob('layer', mediaTypes.dockerLayerTarGzip)]
    for (const { d, bytes } of [config, layer]) await c.target.push(d, bytes, c.ctx)
    const annotations = { 'kustomizer.dev/version': '1' }
    const { d, bytes } = manifestOf(config.d, [layer.d], { annotations }, mediaTypes.dockerManifest)
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    assert.deepEqual(await c.target.resolve('v1', c.ctx), d)
    const manifest = parseManifest(await fetchAll(c.target, d, maxManifestBytes, c.ctx), d)
    assert.deepEqual(manifest.annotations, annotations)
  }),
  contractCase('keeps an index with its manifests', async (c) => {
    const [first, second] = [await artifact(c, 'amd64'), await artifact(c, 'arm64')]
    const index = indexOf([first.d, second.d])
    await refused(() => c.target.push(index.d, index.bytes, c.ctx), 'oci.incomplete')
    for (const { d, bytes } of [first, second]) await c.target.push(d, bytes, c.ctx)
    await c.target.pushTagged(index.d, index.bytes, 'all', c.ctx)
    assert.deepEqual(await c.target.resolve('all', c.ctx), index.d)
    assert.deepEqual(await c.target.resolve(second.d.digest, c.ctx), second.d)
  }),
  contractCase('forgets a manifest and its tags', async (c) => {
    const [first, second] = [await artifact(c, 'one'), await artifact(c, 'two')]
    await c.target.pushTagged(first.d, first.bytes, 'v1', c.ctx)
    await c.target.tag(first.d, 'latest', c.ctx)
    await c.target.pushTagged(second.d, second.bytes, 'v2', c.ctx)
    await c.target.delete(first.d, c.ctx)
    await refused(() => c.target.resolve('v1', c.ctx), 'oci.not-found')
    await refused(() => c.target.resolve(first.d.digest, c.ctx), 'oci.not-found')
    assert.deepEqual(await c.target.tags(c.ctx), ['v2'])
    await refused(() => c.target.delete(first.d, c.ctx), 'oci.not-found')
  }),
  contractCase('keeps all tags that are written at once', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.push(d, bytes, c.ctx)
    const tags = Array.from({ length: 20 }, (_, index) => `t${String(index).padStart(2, '0')}`)
    await Promise.all(tags.map((tag) => c.target.tag(d, tag, c.ctx)))
    assert.deepEqual(await c.target.tags(c.ctx), tags)
  }),
]

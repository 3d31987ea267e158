import { acceptManifest, describeReferrer, notFound } from './accept-manifest.ts'
import { type Descriptor, isDigest } from './descriptor.ts'
import { isManifestType, maxManifestBytes, manifestTooLarge, parseManifest } from './manifest.ts'
import { assertTag } from './reference.ts'
import type { PushContent, Target } from './target.ts'
import { verifiedContent, verifyStream } from './verify-stream.ts'

const where = 'this memory'

/** Artifacts in memory. */
export function memoryTarget(): Target & AsyncDisposable {
  const contents = new Map<string, Uint8Array>()
  const manifests = new Map<string, Descriptor>()
  const tags = new Map<string, string>()

  const has = async (d: Descriptor): Promise<boolean> =>
    isManifestType(d.mediaType) ? manifests.has(d.digest) : contents.has(d.digest)

  async function push(d: Descriptor, content: PushContent): Promise<void> {
    const isManifest = isManifestType(d.mediaType)
    if (isManifest && d.size > maxManifestBytes) throw manifestTooLarge(d, d.size)
    const bytes = await collect(verifiedContent(d, content))
    if (isManifest) {
      await acceptManifest(d, bytes, has)
      manifests.set(d.digest, { mediaType: d.mediaType, digest: d.digest, size: d.size })
    }
    contents.set(d.digest, bytes)
  }

  return {
    async fetch(d) {
      const content = contents.get(d.digest)
      if (content === undefined) throw notFound(d.digest, where)
      return verifyStream(d, [content])
    },
    push,
    async resolve(tagOrDigest) {
      const found = manifests.get(isDigest(tagOrDigest) ? tagOrDigest : (tags.get(assertTag(tagOrDigest)) ?? ''))
      if (found === undefined) throw notFound(tagOrDigest, where)
      return found
    },
    async tag(d, tag) {
      if (!manifests.has(d.digest)) throw notFound(d.digest, where)
      tags.set(assertTag(tag), d.digest)
    },
    async pushTagged(d, content, tag) {
      assertTag(tag)
      await push(d, content)
      tags.set(tag, d.digest)
    },
    exists: has,
    tags: async () => [...tags.keys()].sort(),
    async referrers(d, artifactType) {
      const all = [...manifests.values()].flatMap((one) => {
        const manifest = parseManifest(contents.get(one.digest) ?? new Uint8Array(), one)
        return manifest.subject?.digest === d.digest ? [describeReferrer(one, manifest)] : []
      })
      return all.filter((one) => artifactType === undefined || one.artifactType === artifactType)
    },
    async delete(d) {
      if (!(await has(d))) throw notFound(d.digest, where)
      manifests.delete(d.digest)
      contents.delete(d.digest)
      for (const [tag, digest] of tags) if (digest === d.digest) tags.delete(tag)
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  // A copy: what the caller does with its own bytes later must not change what is stored.
  return Uint8Array.from(Buffer.concat(chunks))
}

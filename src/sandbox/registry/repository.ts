import { defined } from '../../core/index.ts'
import { type Descriptor, tagged, tagOf } from './descriptor.ts'
import { type Digest, digestOf, parseDigest } from './digest.ts'
import { type Manifest, mediaTypeOf, parseManifest } from './manifest.ts'
import { RegistryError } from './registry-error.ts'
import { type BlobContent, readAll, type RepositoryStorage } from './storage/storage.ts'

/** A manifest as it is stored. */
export interface StoredManifest {
  readonly mediaType: string
  readonly digest: string
  readonly content: BlobContent
}

/** A repository's manifests and tags, over any storage. */
export class Repository {
  readonly storage: RepositoryStorage
  /** What manifests refer to; they never change, and most are no referrers. */
  readonly #referrers = new Map<string, { subject: string; descriptor: Descriptor } | undefined>()

  constructor(storage: RepositoryStorage) {
    this.storage = storage
  }

  /** A manifest by tag or digest. */
  async manifest(reference: string): Promise<StoredManifest | undefined> {
    const entries = (await this.storage.index()) ?? []
    const entry =
      parseDigest(reference) === undefined
        ? entries.find((known) => tagOf(known) === reference)
        : await this.#findByDigest(entries, reference)
    const digest = parseDigest(entry?.digest ?? '')
    const content = digest === undefined ? undefined : await this.storage.blob(digest)
    return entry === undefined || content === undefined
      ? undefined
      : { mediaType: entry.mediaType, digest: entry.digest, content }
  }

  /** Stores a manifest under its digest, and under a tag where one is given. */
  async putManifest(bytes: Uint8Array, digest: Digest, pushedAs: string | undefined, tag?: string): Promise<Manifest> {
    const manifest = parseManifest(bytes)
    const mediaType = mediaTypeOf(manifest, pushedAs)
    await this.#checkReferences(manifest)
    const writer = await this.storage.write()
    await writer.append(once(bytes))
    if (!(await writer.commit(digest))) {
      await writer.discard()
      throw new RegistryError('DIGEST_INVALID', 'the manifest does not have the digest that it was pushed by')
    }
    const text = `${digest.algorithm}:${digest.hex}`
    const entry: Descriptor = { mediaType, digest: text, size: bytes.length }
    await this.storage.changeIndex((entries) => withManifest(entries, entry, tag))
    return manifest
  }

  /** Takes a tag away, or a manifest with all of its tags. False where there is none. */
  async removeManifest(reference: string): Promise<boolean> {
    if ((await this.storage.index()) === undefined) return false
    const digest = parseDigest(reference)
    let found = false
    await this.storage.changeIndex((entries) => {
      found = entries.some((entry) => (digest === undefined ? tagOf(entry) : entry.digest) === reference)
      if (!found) return entries
      return digest === undefined
        ? withoutTag(entries, reference)
        : entries.filter((entry) => entry.digest !== reference)
    })
    if (found && digest !== undefined) await this.storage.removeBlob(digest)
    return found
  }

  /** The tags in order; undefined where there is no such repository. */
  async tags(): Promise<string[] | undefined> {
    const entries = await this.storage.index()
    return entries?.flatMap((entry) => tagOf(entry) ?? []).sort()
  }

  /** Descriptors of the manifests whose subject has this digest. */
  async referrers(digest: string): Promise<Descriptor[]> {
    const digests = new Set((await this.storage.index())?.map((entry) => entry.digest))
    const found: Descriptor[] = []
    for (const candidate of digests) {
      const referrer = await this.#referrer(candidate)
      if (referrer?.subject === digest) found.push(referrer.descriptor)
    }
    return found
  }

  /** Whether a digest is that of a manifest, which the blob endpoints must not remove. */
  async isManifest(digest: string): Promise<boolean> {
    return ((await this.storage.index()) ?? []).some((entry) => entry.digest === digest)
  }

  // Image layouts of other tools list an index alone, not the manifests inside of it.
  async #findByDigest(entries: readonly Descriptor[], wanted: string): Promise<Descriptor | undefined> {
    const open = [...entries]
    const seen = new Set<string>()
    for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
      if (entry.digest === wanted) return entry
      if (seen.has(entry.digest) || !/index|manifest\.list/.test(entry.mediaType)) continue
      seen.add(entry.digest)
      open.push(...((await this.#read(entry.digest))?.manifests ?? []))
    }
    return undefined
  }

  async #referrer(digest: string): Promise<{ subject: string; descriptor: Descriptor } | undefined> {
    if (this.#referrers.has(digest)) return this.#referrers.get(digest)
    const stored = await this.manifest(digest)
    if (stored === undefined) return undefined
    const manifest = await this.#read(digest)
    const { artifactType, annotations } = manifest ?? {}
    const descriptor: Descriptor = {
      mediaType: stored.mediaType,
      digest,
      size: stored.content.size,
      ...defined({ artifactType, annotations }),
    }
    const referrer = manifest?.subject === undefined ? undefined : { subject: manifest.subject.digest, descriptor }
    this.#referrers.set(digest, referrer)
    return referrer
  }

  async #read(text: string): Promise<Manifest | undefined> {
    const digest = parseDigest(text)
    const content = digest === undefined ? undefined : await this.storage.blob(digest)
    return content === undefined ? undefined : parseManifest(await readAll(content))
  }

  async #checkReferences({ blobs, manifests }: Manifest): Promise<void> {
    const missing: Descriptor[] = []
    for (const descriptor of [...blobs, ...manifests]) {
      const digest = parseDigest(descriptor.digest)
      // Layers with addresses of their own need not be in the registry.
      if (digest === undefined || (descriptor.urls?.length ?? 0) > 0) continue
      if ((await this.storage.blob(digest)) === undefined) missing.push(descriptor)
    }
    if (missing.length === 0) return
    const detail = missing.map(({ digest }) => ({ digest }))
    throw new RegistryError('MANIFEST_BLOB_UNKNOWN', 'the manifest refers to content that is not here', { detail })
  }
}

/** The digest that a manifest is pushed by, or the usual one where it is pushed by tag. */
export function manifestDigest(reference: string, bytes: Uint8Array): Digest {
  const digest = parseDigest(reference) ?? parseDigest(digestOf(bytes))
  if (digest === undefined) throw new RegistryError('DIGEST_INVALID', `${reference} is no digest`)
  return digest
}

function withManifest(entries: readonly Descriptor[], entry: Descriptor, tag: string | undefined): Descriptor[] {
  // A tag that moves leaves its old manifest behind, which stays reachable by digest.
  const others = tag === undefined ? [...entries] : withoutTag(entries, tag)
  if (tag !== undefined) {
    const untagged = others.findIndex((known) => known.digest === entry.digest && tagOf(known) === undefined)
    if (untagged >= 0) others.splice(untagged, 1)
    return [...others, tagged(entry, tag)]
  }
  return others.some((known) => known.digest === entry.digest) ? others : [...others, entry]
}

function withoutTag(entries: readonly Descriptor[], tag: string): Descriptor[] {
  return entries.flatMap((entry) => {
    if (tagOf(entry) !== tag) return [entry]
    const elsewhere = entries.some((other) => other !== entry && other.digest === entry.digest)
    return elsewhere ? [] : [tagged(entry, undefined)]
  })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

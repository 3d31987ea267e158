import { type Context, type LadingEvent, LadingError, runConcurrently } from '../core/index.ts'
import type { Descriptor } from './descriptor.ts'
import { childrenOf, isForeignLayer, isIndexType, isManifestType, maxManifestBytes, parseManifest } from './manifest.ts'
import { assertTag } from './reference.ts'
import { companionTags } from './signature/companion-tags.ts'
import { fetchAll, type Target } from './target.ts'

/** How to copy. */
export interface CopyOptions {
  /** How many blobs are on their way at once (default: 6). */
  readonly concurrency?: number
  /** Whether signatures, SBOMs and whatever else refers to what is copied come along, also those that cosign keeps under tags. */
  readonly referrers?: boolean
}

/** What a copy did. */
export interface CopyResult {
  readonly descriptor: Descriptor
  readonly copied: number
  readonly mounted: number
  /** Content that was there; what it refers to in turn is not counted. */
  readonly present: number
  /** Bytes that were sent. */
  readonly bytes: number
}

type BlobEvent = Extract<LadingEvent, { type: 'blob' }>

const maxManifests = 10_000
const maxDepth = 8

/**
 * Copies an artifact as it is, byte by byte, with all that it refers to: children before parents, so that what can be found
 * is whole. What is there is not sent again; a manifest that is there answers for all below it.
 */
export async function* copy(
  source: Target,
  sourceReference: string,
  destination: Target,
  destinationTag: string | undefined,
  options: CopyOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, CopyResult> {
  if (destinationTag !== undefined) assertTag(destinationTag)
  const root = await source.resolve(sourceReference, ctx)
  const tally = new Tally(root)
  const plan = await planCopy(source, destination, root, destinationTag, options, ctx)
  for (const d of plan.present) yield tally.note(d, 'present')
  const send = (d: Descriptor, inner: Context): Promise<BlobEvent['action']> => sendBlob(source, destination, d, inner)
  const work = async (d: Descriptor, inner: Context): Promise<LadingEvent> => tally.note(d, await send(d, inner))
  yield* runConcurrently(plan.blobs, options.concurrency ?? 6, work, ctx)
  for (const message of plan.warnings) yield { type: 'warning', message }
  for (const { d, content } of plan.manifests) {
    const tag = plan.tags.get(d.digest)
    if (tag === undefined) await destination.push(d, content, ctx)
    else await destination.pushTagged(d, content, tag, ctx)
    yield tally.note(d, 'copied')
  }
  for (const d of plan.present) {
    const tag = plan.tags.get(d.digest)
    if (tag !== undefined) await destination.tag(d, tag, ctx)
  }
  return tally.result()
}

interface Plan {
  /** Manifests that are missing, children first. */
  readonly manifests: readonly { readonly d: Descriptor; readonly content: Uint8Array }[]
  readonly blobs: readonly Descriptor[]
  readonly present: readonly Descriptor[]
  /** The tags that are to be written, by the digest of what they name. */
  readonly tags: ReadonlyMap<string, string>
  readonly warnings: readonly string[]
}

async function planCopy(
  source: Target,
  destination: Target,
  root: Descriptor,
  tag: string | undefined,
  options: CopyOptions,
  ctx: Context,
): Promise<Plan> {
  const manifests = new Map<string, { d: Descriptor; content: Uint8Array }>()
  const blobs = new Map<string, Descriptor>()
  const present = new Map<string, Descriptor>()
  const seen = new Set<string>()
  const tags = new Map<string, string>()
  const warnings: string[] = []

  async function visit(d: Descriptor, there: boolean | undefined, depth: number): Promise<void> {
    if (seen.has(d.digest)) return
    seen.add(d.digest)
    if (depth > maxDepth || seen.size > maxManifests) throw tooLarge(root)
    const isThere = there ?? (await destination.exists(d, ctx))
    if (isThere) present.set(d.digest, d)
    // What is there answers for its children, but not for what refers to them.
    if (!isThere || (options.referrers === true && isIndexType(d.mediaType))) {
      const content = await fetchAll(source, d, maxManifestBytes, ctx)
      for (const child of childrenOf(parseManifest(content, d))) {
        if (isManifestType(child.mediaType)) await visit(child, isThere || undefined, depth + 1)
        else if (!isThere && !isForeignLayer(child.mediaType)) blobs.set(child.digest, child)
      }
      // After its children: a map keeps the order of what is put in.
      if (!isThere) manifests.set(d.digest, { d, content })
    }
    if (options.referrers !== true) return
    for (const referrer of await source.referrers(d, undefined, ctx)) await visit(referrer, undefined, depth + 1)
    for (const name of companionTags(d)) await visitCompanion(name, depth)
  }

  async function visitCompanion(name: string, depth: number): Promise<void> {
    const companion = await findTag(source, name, ctx)
    if (companion === undefined || seen.has(companion.digest)) return
    const there = await findTag(destination, name, ctx)
    if (there !== undefined && there.digest !== companion.digest) {
      // Somebody signed it there. Registries cannot add to a manifest, and what others signed is not thrown away.
      warnings.push(`${name} is there already with other content, and stays as it is`)
      return
    }
    if (there === undefined) tags.set(companion.digest, name)
    await visit(companion, there === undefined ? undefined : true, depth + 1)
  }

  const found = tag === undefined ? undefined : await findTag(destination, tag, ctx)
  const tagged = found?.digest === root.digest
  // A tag that names the same manifest already tells that the manifest is there too: one HEAD for both.
  if (tag !== undefined && !tagged) tags.set(root.digest, tag)
  await visit(root, tagged || undefined, 0)
  // The root comes last, after what refers to it too: nobody finds it by its tag without its signatures.
  const own = manifests.get(root.digest)
  manifests.delete(root.digest)
  return {
    manifests: [...manifests.values(), ...(own === undefined ? [] : [own])],
    blobs: [...blobs.values()],
    present: [...present.values()],
    tags,
    warnings,
  }
}

async function findTag(target: Target, tag: string, ctx: Context): Promise<Descriptor | undefined> {
  try {
    return await target.resolve(tag, ctx)
  } catch (error) {
    if (error instanceof LadingError && error.code === 'oci.not-found') return undefined
    throw error
  }
}

async function sendBlob(
  source: Target,
  destination: Target,
  d: Descriptor,
  ctx: Context,
): Promise<BlobEvent['action']> {
  if (await destination.exists(d, ctx)) return 'present'
  const [from, to] = [source.location, destination.location]
  if (from !== undefined && from.registry === to?.registry && from.repository !== to.repository) {
    if ((await destination.mount?.(d, from.repository, ctx)) === true) return 'mounted'
  }
  await destination.push(d, () => opened(source, d, ctx), ctx)
  return 'copied'
}

async function* opened(source: Target, d: Descriptor, ctx: Context): AsyncGenerator<Uint8Array, void> {
  yield* await source.fetch(d, ctx)
}

class Tally {
  readonly #root: Descriptor
  readonly #counts = { copied: 0, mounted: 0, present: 0 }
  #bytes = 0

  constructor(root: Descriptor) {
    this.#root = root
  }

  note({ digest, mediaType, size }: Descriptor, action: BlobEvent['action']): BlobEvent {
    this.#counts[action]++
    if (action === 'copied') this.#bytes += size
    return { type: 'blob', digest, mediaType, size, action }
  }

  result(): CopyResult {
    return { descriptor: this.#root, ...this.#counts, bytes: this.#bytes }
  }
}

function tooLarge({ digest }: Descriptor): LadingError {
  const message = `${digest} leads to more than ${maxManifests} manifests, or deeper than ${maxDepth}`
  return new LadingError('oci.too-large', message, { digest, maxManifests, maxDepth })
}

import { type Context, LadingError } from '../core/index.ts'
import { type Descriptor, sizeMismatch } from './descriptor.ts'
import type { RepositoryName } from './reference.ts'

/** Reads content by its descriptor. */
export interface Fetcher {
  /**
   * Opens content; `oci.not-found` where it is not there. Size and digest are checked while it streams: the last step of
   * the iteration fails where they are wrong, so content is to be trusted only once it came to its end.
   */
  fetch(d: Descriptor, ctx: Context): Promise<AsyncIterable<Uint8Array>>
}

/** Content to be pushed: at hand, or as a stream that can be opened anew for a retry. */
export type PushContent = Uint8Array | (() => AsyncIterable<Uint8Array>)

/** Writes content. */
export interface Pusher {
  /** Writes content that is what its descriptor says, and nothing otherwise; content that is there is sent again. */
  push(d: Descriptor, content: PushContent, ctx: Context): Promise<void>
}

/** Finds manifests by name. */
export interface Resolver {
  /** The descriptor of a manifest by tag or digest; `oci.not-found` where there is none. */
  resolve(tagOrDigest: string, ctx: Context): Promise<Descriptor>
}

/** Names manifests. */
export interface Tagger {
  /** Lets a tag name a manifest that is there; the tag moves where it named another. */
  tag(d: Descriptor, tag: string, ctx: Context): Promise<void>
  /** Writes a manifest and its tag, in one step where the target can. */
  pushTagged(d: Descriptor, content: Uint8Array, tag: string, ctx: Context): Promise<void>
}

/** A place of artifacts: memory, a folder with an image layout and a repository of a registry are peers. */
export interface Target extends Fetcher, Pusher, Resolver, Tagger {
  /** Where it is, for a repository of a registry: content moves by mount within one registry. */
  readonly location?: RepositoryName
  exists(d: Descriptor, ctx: Context): Promise<boolean>
  /** All tags, in the order of their characters. */
  tags(ctx: Context): Promise<readonly string[]>
  /** The manifests whose subject this is, of one artifact type or of any. */
  referrers(d: Descriptor, artifactType: string | undefined, ctx: Context): Promise<readonly Descriptor[]>
  /** Removes content and the tags that name it; `oci.not-found` where it is not there. */
  delete(d: Descriptor, ctx: Context): Promise<void>
  /** Takes a blob over from another repository of the same registry; false where the registry did not. */
  mount?(d: Descriptor, fromRepository: string, ctx: Context): Promise<boolean>
  /** Ends its connections, if it has any; idle ones do not keep a process alive. */
  close(): Promise<void>
}

/** Writes content unless it is there; says whether it was sent. */
export async function pushMissing(target: Target, d: Descriptor, content: PushContent, ctx: Context): Promise<boolean> {
  if (await target.exists(d, ctx)) return false
  await target.push(d, content, ctx)
  return true
}

/** Reads content of at most `limit` bytes into memory, verified. */
export async function fetchAll(target: Fetcher, d: Descriptor, limit: number, ctx: Context): Promise<Uint8Array> {
  if (d.size > limit) {
    const message = `${d.digest} has ${d.size} bytes, and at most ${limit} are allowed`
    throw new LadingError('oci.too-large', message, { digest: d.digest, size: d.size, limit })
  }
  const all = new Uint8Array(d.size)
  let length = 0
  for await (const chunk of await target.fetch(d, ctx)) {
    if (length + chunk.byteLength > d.size) throw sizeMismatch(d, length + chunk.byteLength, true)
    all.set(chunk, length)
    length += chunk.byteLength
  }
  if (length !== d.size) throw sizeMismatch(d, length)
  return all
}

import type { Descriptor } from '../descriptor.ts'
import type { Digest } from '../digest.ts'

/** A part of some content, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Content that can be read. */
export interface BlobContent {
  readonly size: number
  read(range?: ByteRange): AsyncIterable<Uint8Array>
}

/** Content on its way in. */
export interface BlobWriter {
  readonly size: number
  /** Takes bytes until the source ends; what came before a failure stays. */
  append(source: AsyncIterable<Uint8Array>): Promise<void>
  /** Keeps the content under its digest; false, and nothing kept, where it is other content. */
  commit(digest: Digest): Promise<boolean>
  discard(): Promise<void>
}

/** Where one repository is kept: content by digest, and an index of its manifests. */
export interface RepositoryStorage {
  /** Undefined where there is no such repository. */
  index(): Promise<readonly Descriptor[] | undefined>
  /** Replaces the index at once or not at all; changes come one after the other. */
  changeIndex(change: (entries: readonly Descriptor[]) => readonly Descriptor[]): Promise<void>
  blob(digest: Digest): Promise<BlobContent | undefined>
  removeBlob(digest: Digest): Promise<boolean>
  write(): Promise<BlobWriter>
  /** Takes content over from another repository of the same storage; false where that has none. */
  mount(digest: Digest, from: string): Promise<boolean>
}

/** Where a registry keeps its repositories. */
export interface RegistryStorage {
  repository(name: string): RepositoryStorage
  /** The names of all repositories. */
  names(): Promise<string[]>
}

/** Small content as bytes. */
export async function readAll(content: BlobContent): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

import type { Descriptor } from '../descriptor.ts'
import { type Digest, digestOf } from '../digest.ts'
import type { BlobContent, BlobWriter, ByteRange, RegistryStorage, RepositoryStorage } from './storage.ts'

/** Keeps everything in memory. */
export function memoryStorage(): RegistryStorage {
  const repositories = new Map<string, MemoryRepository>()
  return {
    repository(name) {
      const repository = repositories.get(name) ?? new MemoryRepository((other) => repositories.get(other))
      repositories.set(name, repository)
      return repository
    },
    async names() {
      return [...repositories].filter(([, repository]) => repository.exists).map(([name]) => name)
    },
  }
}

class MemoryRepository implements RepositoryStorage {
  readonly #find: (name: string) => MemoryRepository | undefined
  readonly #blobs = new Map<string, Buffer>()
  #index: readonly Descriptor[] | undefined

  constructor(find: (name: string) => MemoryRepository | undefined) {
    this.#find = find
  }

  get exists(): boolean {
    return this.#index !== undefined
  }

  async index(): Promise<readonly Descriptor[] | undefined> {
    return this.#index
  }

  async changeIndex(change: (entries: readonly Descriptor[]) => readonly Descriptor[]): Promise<void> {
    this.#index = change(this.#index ?? [])
  }

  async blob({ algorithm, hex }: Digest): Promise<BlobContent | undefined> {
    const bytes = this.#blobs.get(`${algorithm}:${hex}`)
    return bytes === undefined ? undefined : { size: bytes.length, read: (range) => slice(bytes, range) }
  }

  async removeBlob({ algorithm, hex }: Digest): Promise<boolean> {
    return this.#blobs.delete(`${algorithm}:${hex}`)
  }

  async write(): Promise<BlobWriter> {
    return new MemoryWriter((digest, bytes) => this.#keep(digest, bytes))
  }

  async mount({ algorithm, hex }: Digest, from: string): Promise<boolean> {
    const digest = `${algorithm}:${hex}`
    const source = this.#find(from)
    const bytes = source === undefined ? undefined : source.#blobs.get(digest)
    if (bytes !== undefined) this.#keep(digest, bytes)
    return bytes !== undefined
  }

  #keep(digest: string, bytes: Buffer): void {
    this.#blobs.set(digest, bytes)
    this.#index ??= []
  }
}

class MemoryWriter implements BlobWriter {
  readonly #keep: (digest: string, bytes: Buffer) => void
  #chunks: Uint8Array[] = []
  #size = 0

  constructor(keep: (digest: string, bytes: Buffer) => void) {
    this.#keep = keep
  }

  get size(): number {
    return this.#size
  }

  async append(source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of source) {
      this.#chunks.push(chunk)
      this.#size += chunk.length
    }
  }

  async commit({ algorithm, hex }: Digest): Promise<boolean> {
    const bytes = Buffer.concat(this.#chunks)
    const digest = `${algorithm}:${hex}`
    if (digestOf(bytes, algorithm) !== digest) return false
    this.#keep(digest, bytes)
    await this.discard()
    return true
  }

  async discard(): Promise<void> {
    this.#chunks = []
  }
}

async function* slice(bytes: Buffer, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
}

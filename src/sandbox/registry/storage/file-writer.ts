import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Digest } from '../digest.ts'
import { moveInto } from './layout-folder.ts'
import type { BlobWriter } from './storage.ts'

/** Writes content to a temporary file, and moves that to its place once its digest is proven. */
export class FileWriter implements BlobWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #place: (digest: Digest) => Promise<string>
  readonly #hash: Hash = createHash('sha256')
  #size = 0

  private constructor(path: string, file: FileHandle, place: (digest: Digest) => Promise<string>) {
    this.#path = path
    this.#file = file
    this.#place = place
  }

  /** Begins an empty file; `place` says where it goes in the end. */
  static async create(folder: string, place: (digest: Digest) => Promise<string>): Promise<FileWriter> {
    const path = join(folder, randomUUID())
    return new FileWriter(path, await open(path, 'wx'), place)
  }

  get size(): number {
    return this.#size
  }

  async append(source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of source) {
      await this.#file.writeFile(chunk)
      this.#hash.update(chunk)
      this.#size += chunk.length
    }
  }

  async commit(digest: Digest): Promise<boolean> {
    if ((await this.#hexOf(digest.algorithm)) !== digest.hex) return false
    await this.#file.sync()
    await this.#file.close()
    await moveInto(this.#path, await this.#place(digest))
    return true
  }

  async discard(): Promise<void> {
    await this.#file.close()
    await rm(this.#path, { force: true })
  }

  /** Clients name the algorithm last; nearly all use the one that was computed on the way. */
  async #hexOf(algorithm: Digest['algorithm']): Promise<string> {
    if (algorithm === 'sha256') return this.#hash.copy().digest('hex')
    const hash = createHash(algorithm)
    for await (const chunk of createReadStream(this.#path)) hash.update(chunk as Uint8Array)
    return hash.digest('hex')
  }
}

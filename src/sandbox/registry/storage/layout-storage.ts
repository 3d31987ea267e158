import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, parseJson, stringifyJson } from '../../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import type { Digest } from '../digest.ts'
import { FileWriter } from './file-writer.ts'
import { isFileError } from './file-error.ts'
import { linkInto, repositoryFolder, repositoryNames, writeWhole } from './layout-folder.ts'
import type { BlobContent, BlobWriter, RegistryStorage, RepositoryStorage } from './storage.ts'

const uploads = '.uploads'

/** Keeps each repository as an OCI image layout in a folder of its own, which other tools can read. */
export function layoutStorage(root: string): RegistryStorage {
  mkdirSync(root, { recursive: true })
  // Left over from a crash: uploads are known to the process that began them only.
  rmSync(join(root, uploads), { recursive: true, force: true })
  const repositories = new Map<string, RepositoryStorage>()
  return {
    repository(name) {
      const repository = repositories.get(name) ?? new LayoutRepository(root, name)
      repositories.set(name, repository)
      return repository
    },
    names: () => repositoryNames(root),
  }
}

class LayoutRepository implements RepositoryStorage {
  readonly #root: string
  readonly #folder: string
  /** The end of the last change; the next one starts there. */
  #lastChange: Promise<void> = Promise.resolve()

  constructor(root: string, name: string) {
    this.#root = root
    this.#folder = repositoryFolder(root, name)
  }

  // Read each time: other tools may write to the layout too.
  async index(): Promise<readonly Descriptor[] | undefined> {
    const text = await readFile(join(this.#folder, 'index.json'), 'utf8').catch((error: unknown) => {
      if (isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR')) return undefined
      throw error
    })
    if (text === undefined) return undefined
    const index: unknown = parseJson(text)
    return isRecord(index) && Array.isArray(index['manifests']) ? (index['manifests'] as Descriptor[]) : []
  }

  changeIndex(change: (entries: readonly Descriptor[]) => readonly Descriptor[]): Promise<void> {
    const changed = this.#lastChange.then(async () => {
      const before = await this.index()
      const after = change(before ?? [])
      if (after !== before) await this.#writeIndex(after)
    })
    this.#lastChange = changed.catch(() => undefined)
    return changed
  }

  async blob(digest: Digest): Promise<BlobContent | undefined> {
    const file = this.#blobFile(digest)
    const found = await stat(file).catch((error: unknown) => {
      if (isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR')) return undefined
      throw error
    })
    return found?.isFile() === true ? { size: found.size, read: (range) => createReadStream(file, range) } : undefined
  }

  async removeBlob(digest: Digest): Promise<boolean> {
    const known = (await this.blob(digest)) !== undefined
    if (known) await rm(this.#blobFile(digest), { force: true })
    return known
  }

  async write(): Promise<BlobWriter> {
    const folder = join(this.#root, uploads)
    await mkdir(folder, { recursive: true })
    return FileWriter.create(folder, async (digest) => {
      await this.#begin()
      return this.#blobFile(digest)
    })
  }

  async mount(digest: Digest, from: string): Promise<boolean> {
    const source = new LayoutRepository(this.#root, from)
    if ((await source.blob(digest)) === undefined) return false
    await this.#begin()
    return linkInto(source.#blobFile(digest), this.#blobFile(digest))
  }

  async #begin(): Promise<void> {
    if ((await this.index()) === undefined) await this.changeIndex((entries) => entries)
  }

  async #writeIndex(manifests: readonly Descriptor[]): Promise<void> {
    await mkdir(join(this.#folder, 'blobs'), { recursive: true })
    const mediaType = 'application/vnd.oci.image.index.v1+json'
    await writeWhole(join(this.#folder, 'index.json'), stringifyJson({ schemaVersion: 2, mediaType, manifests }))
    // Last, because it is what makes the folder a layout.
    const marker = join(this.#folder, 'oci-layout')
    const marked = await stat(marker).catch(() => undefined)
    if (marked === undefined) await writeWhole(marker, '{"imageLayoutVersion":"1.0.0"}')
  }

  #blobFile({ algorithm, hex }: Digest): string {
    return join(this.#folder, 'blobs', algorithm, hex)
  }
}

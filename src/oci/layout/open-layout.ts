import { lstat, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Context, isRecord } from '../../core/index.ts'
import { acceptManifest, describeReferrer, notFound } from '../accept-manifest.ts'
import { type Descriptor, isDigest, parseDigest } from '../descriptor.ts'
import { isManifestType, manifestTooLarge, maxManifestBytes, parseManifest } from '../manifest.ts'
import { assertTag } from '../reference.ts'
import { fetchAll, type PushContent, type Target } from '../target.ts'
import { verifiedContent, verifyStream } from '../verify-stream.ts'
import { ensureFolder, layoutError, openFile, readWhole, writeWhole } from './layout-files.ts'
import { formatIndex, readIndex, tagOf, untagged, withEntry } from './layout-index.ts'
import { withLock } from './layout-lock.ts'

const chunkBytes = 256 * 1024
const maxMarkerBytes = 64 * 1024

/** A folder with an OCI image layout as a target; it becomes one with the first write. */
export function openLayout(folder: string): Target & AsyncDisposable {
  return new Layout(resolve(folder))
}

class Layout implements Target, AsyncDisposable {
  readonly #folder: string
  readonly #index: string
  /** Writers of this process wait here, those of others at the lock. */
  #updates: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
    this.#index = join(folder, 'index.json')
  }

  async fetch(d: Descriptor): Promise<AsyncIterable<Uint8Array>> {
    await this.#checkVersion()
    const path = this.#blob(d.digest)
    if ((await lstat(path).catch(() => undefined)) === undefined) throw notFound(d.digest, this.#folder)
    return verifyStream(d, readChunks(path))
  }

  async push(d: Descriptor, content: PushContent, ctx: Context): Promise<void> {
    await this.#write(d, content, ctx)
    if (isManifestType(d.mediaType)) await this.#list(d, undefined, ctx)
  }

  async resolve(tagOrDigest: string): Promise<Descriptor> {
    await this.#checkVersion()
    const { entries } = await readIndex(this.#index)
    const found = isDigest(tagOrDigest)
      ? (entries.find(({ digest }) => digest === tagOrDigest) ?? (await this.#unlisted(tagOrDigest)))
      : entries.findLast((one) => tagOf(one) === assertTag(tagOrDigest))
    if (found === undefined) throw notFound(tagOrDigest, this.#folder)
    return untagged(found)
  }

  async tag(d: Descriptor, tag: string, ctx: Context): Promise<void> {
    assertTag(tag)
    if (!(await this.exists(d))) throw notFound(d.digest, this.#folder)
    await this.#list(d, tag, ctx)
  }

  async pushTagged(d: Descriptor, content: Uint8Array, tag: string, ctx: Context): Promise<void> {
    assertTag(tag)
    await this.#write(d, content, ctx)
    await this.#list(d, tag, ctx)
  }

  async exists(d: Descriptor): Promise<boolean> {
    const stats = await lstat(this.#blob(d.digest)).catch(() => undefined)
    return stats?.isFile() === true && stats.size === d.size
  }

  async tags(): Promise<readonly string[]> {
    const { entries } = await readIndex(this.#index)
    return [...new Set(entries.flatMap((one) => tagOf(one) ?? []))].sort()
  }

  async referrers(d: Descriptor, artifactType: string | undefined, ctx: Context): Promise<readonly Descriptor[]> {
    const { entries } = await readIndex(this.#index)
    const found = new Map<string, Descriptor>()
    for (const entry of entries) {
      if (!isManifestType(entry.mediaType) || found.has(entry.digest)) continue
      const manifest = parseManifest(await fetchAll(this, entry, maxManifestBytes, ctx), entry)
      if (manifest.subject?.digest === d.digest) found.set(entry.digest, describeReferrer(entry, manifest))
    }
    return [...found.values()].filter((one) => artifactType === undefined || one.artifactType === artifactType)
  }

  async delete(d: Descriptor, ctx: Context): Promise<void> {
    if (!(await this.exists(d))) throw notFound(d.digest, this.#folder)
    // First what leads to it: a layout never names what is not there.
    await this.#update((entries) => entries.filter(({ digest }) => digest !== d.digest), ctx)
    await rm(this.#blob(d.digest), { force: true })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #write(d: Descriptor, content: PushContent, ctx: Context): Promise<void> {
    const path = this.#blob(d.digest)
    await this.#prepare(d.digest, ctx)
    if (!isManifestType(d.mediaType)) return writeWhole(path, verifiedContent(d, content))
    if (d.size > maxManifestBytes) throw manifestTooLarge(d, d.size)
    const bytes = await fetchAll({ fetch: async () => verifiedContent(d, content) }, d, maxManifestBytes, ctx)
    await acceptManifest(d, bytes, (child) => this.exists(child))
    await writeWhole(path, [bytes])
  }

  #list(d: Descriptor, tag: string | undefined, ctx: Context): Promise<void> {
    const { mediaType, digest, size } = d
    return this.#update((entries) => withEntry(entries, { mediaType, digest, size }, tag), ctx)
  }

  async #update(change: (entries: readonly Descriptor[]) => readonly Descriptor[], ctx: Context): Promise<void> {
    const work = async (): Promise<void> => {
      const before = await readIndex(this.#index)
      const entries = change(before.entries)
      if (entries !== before.entries) await writeWhole(this.#index, [formatIndex({ ...before, entries })])
    }
    await this.#exclusively(work, ctx)
  }

  /** A manifest that only an index refers to is not listed by itself. */
  async #unlisted(digest: string): Promise<Descriptor | undefined> {
    const bytes = await readWhole(this.#blob(digest), maxManifestBytes).catch(() => undefined)
    if (bytes === undefined) return undefined
    const mediaType = mediaTypeIn(bytes)
    return mediaType === undefined || !isManifestType(mediaType)
      ? undefined
      : { mediaType, digest, size: bytes.byteLength }
  }

  async #checkVersion(): Promise<void> {
    const path = join(this.#folder, 'oci-layout')
    const bytes = await readWhole(path, maxMarkerBytes)
    if (bytes === undefined) return
    if (!/"imageLayoutVersion"\s*:\s*"1\./.test(bytes.toString('utf8'))) throw layoutError(path, 'is of no version 1')
  }

  async #prepare(digest: string, ctx: Context): Promise<void> {
    await this.#checkVersion()
    const { algorithm } = parseDigest(digest)
    // The folder itself is the operator's choice, and may be a link.
    await mkdir(this.#folder, { recursive: true }).catch((error: unknown) => {
      throw layoutError(this.#folder, 'cannot be made', error)
    })
    for (const path of ['blobs', `blobs/${algorithm}`]) await ensureFolder(join(this.#folder, path))
    const marker = join(this.#folder, 'oci-layout')
    if ((await readWhole(marker, maxMarkerBytes)) !== undefined) return
    const initialise = async (): Promise<void> => {
      if ((await lstat(this.#index).catch(() => undefined)) === undefined) {
        await writeWhole(this.#index, [formatIndex({ entries: [], rest: {} })])
      }
      await writeWhole(marker, [Buffer.from('{"imageLayoutVersion":"1.0.0"}')])
    }
    await this.#exclusively(initialise, ctx)
  }

  async #exclusively(work: () => Promise<void>, ctx: Context): Promise<void> {
    const update = this.#updates.then(() => withLock(`${this.#index}.lock`, work, ctx))
    this.#updates = update.catch(() => undefined)
    await update
  }

  #blob(digest: string): string {
    const { algorithm, hex } = parseDigest(digest)
    return join(this.#folder, 'blobs', algorithm, hex)
  }
}

/** Opens the file with the first read, so that content which nobody reads holds nothing open. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array, void> {
  await using file = await openFile(path)
  if (file === undefined) throw notFound(path, 'the layout')
  for (;;) {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(chunkBytes) })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

function mediaTypeIn(bytes: Buffer): string | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const mediaType = isRecord(value) ? value['mediaType'] : undefined
    return typeof mediaType === 'string' ? mediaType : undefined
  } catch {
    return undefined
  }
}

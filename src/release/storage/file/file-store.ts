import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Context, isLadingError, LadingError, requireLock, writeError } from '../../../core/index.ts'
import { ladingOwnership, type Ownership } from '../../ownership.ts'
import type { ReleaseName } from '../../release-name.ts'
import type { ReleaseRecord } from '../../record/record.ts'
import type { Compression } from '../codec.ts'
import { headerBytes, readHeader, readRecordFile, writeRecordFile } from './file-format.ts'
import { checkFolder, diskWrites, type FileWrites, headsIn, readStart, RecordFiles } from './record-files.ts'
import type { ReleaseStore, RevisionKey, RevisionSummary, StoredRecord } from '../release-store.ts'
import { checkKey, checkName, checkNamespace, checkSameRevision, inOrder, sameRevision } from '../revision-key.ts'
import { changedError, existsError, unreadableError } from '../store-error.ts'

/** Where and how records are kept in files. */
export interface FileStoreOptions {
  readonly path: string
  /** How records are compressed (default: `zstd`). */
  readonly compression?: Compression
}

/** Keeps records in files, `{path}/{namespace}/{name}/v{revision}.yaml`, readable by their owner alone. */
export function createFileStore(options: FileStoreOptions, writes: FileWrites = diskWrites): ReleaseStore {
  return new FileStore(options, new RecordFiles(writes))
}

class FileStore implements ReleaseStore {
  readonly driver = 'file'
  readonly #base: string
  readonly #compression: Compression
  readonly #files: RecordFiles

  constructor(options: FileStoreOptions, files: RecordFiles) {
    this.#base = resolve(options.path)
    this.#compression = options.compression ?? 'zstd'
    this.#files = files
  }

  ownership(release: ReleaseName): Ownership {
    return ladingOwnership(release)
  }

  prepare(record: ReleaseRecord): ReleaseRecord {
    return record
  }

  async get(key: RevisionKey): Promise<StoredRecord | undefined> {
    const folder = await this.#folder(key)
    const read = await this.#files.read(folder, key.version)
    if (read === undefined) return undefined
    const where = join(folder, `v${key.version}.yaml`)
    const record = readRecordFile(read.bytes, where)
    if (!sameRevision(record, key)) throw unreadableError(where, 'it holds the record of another revision')
    return { record, token: read.token }
  }

  async history(name: string, namespace: string): Promise<readonly RevisionSummary[]> {
    checkName(name, namespace)
    return inOrder(await this.#revisions(namespace, name))
  }

  async list(namespace: string | undefined): Promise<readonly RevisionSummary[]> {
    if (namespace !== undefined) checkNamespace(namespace)
    // The base is the operator's own choice, and may be a link.
    const namespaces = namespace === undefined ? await folders(this.#base) : [namespace]
    const summaries: RevisionSummary[] = []
    for (const one of namespaces) {
      for (const name of await names(join(this.#base, one))) summaries.push(...(await this.#revisions(one, name)))
    }
    return inOrder(summaries)
  }

  async create(record: ReleaseRecord, ctx: Context): Promise<StoredRecord> {
    const folder = await this.#folder(record)
    const bytes = writeRecordFile(record, this.#compression)
    await requireLock(ctx)
    const token = await written(folder, this.#files.create(folder, record.version, bytes, ctx.clock.now()))
    if (token === undefined) throw existsError(record)
    return { record, token }
  }

  async update(stored: StoredRecord, next: ReleaseRecord, ctx: Context): Promise<StoredRecord> {
    checkSameRevision(stored.record, next)
    const folder = await this.#folder(next)
    const bytes = writeRecordFile(next, this.#compression)
    await requireLock(ctx)
    const write = this.#files.replace(folder, next.version, stored.token, bytes, ctx.clock.now())
    const token = await written(folder, write)
    if (token === undefined) throw changedError(next)
    return { record: next, token }
  }

  async delete(stored: StoredRecord, ctx: Context): Promise<void> {
    const { version } = stored.record
    const folder = await this.#folder(stored.record)
    await requireLock(ctx)
    const removal = this.#files.remove(folder, version, stored.token, ctx.clock.now())
    if (!(await written(folder, removal))) throw changedError(stored.record)
  }

  async #revisions(namespace: string, name: string): Promise<RevisionSummary[]> {
    const folder = join(this.#base, namespace, name)
    if (!(await checkFolder(join(this.#base, namespace))) || !(await checkFolder(folder))) return []
    const summaries: RevisionSummary[] = []
    for (const [version, head] of await headsIn(folder)) {
      const summary = await this.#summary({ name, namespace, version }, head.path)
      if (summary !== undefined) summaries.push(summary)
    }
    return summaries
  }

  async #summary(key: RevisionKey, path: string): Promise<RevisionSummary | undefined> {
    try {
      const start = await readStart(path, headerBytes)
      if (start?.length === 0) return undefined
      const told = start === undefined ? undefined : readHeader(start, key)
      if (told !== undefined) return told
      // Files of Sherpack have no header; another may just have been replaced.
      const stored = await this.get(key)
      if (stored === undefined) return undefined
      const { state, createdAt, updatedAt } = stored.record
      return { ...key, status: state.status, createdAt, updatedAt }
    } catch (error) {
      if (isLadingError(error, 'release.unreadable', 'file.unreadable')) return { ...key, status: 'unknown' }
      throw error
    }
  }

  /** The folder of a release, below folders that are none but our own. */
  async #folder(key: RevisionKey): Promise<string> {
    checkKey(key)
    const inNamespace = join(this.#base, key.namespace)
    if (await checkFolder(inNamespace)) await checkFolder(join(inNamespace, key.name))
    return join(inNamespace, key.name)
  }
}

/** What a write came to; what the file system refuses is told with the folder. */
async function written<Result>(folder: string, write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw isLadingError(error) || (error as NodeJS.ErrnoException).code === undefined
      ? error
      : writeError(folder, error)
  }
}

async function names(folder: string): Promise<string[]> {
  return (await checkFolder(folder)) ? folders(folder) : []
}

async function folders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    const [path, message] = [folder, `${folder} cannot be read (${code})`]
    throw new LadingError('file.unreadable', message, { path, code }, { cause: error })
  }
}

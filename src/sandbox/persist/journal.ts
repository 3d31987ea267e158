import { statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, silentLog } from '../../core/index.ts'
import type { Store, StoreEvent } from '../store.ts'
import { checkedLine } from './checked-line.ts'
import { journalName, journalsOf, loadFolder } from './load-folder.ts'
import { writeSnapshot } from './write-snapshot.ts'

/** How a journal is kept. */
export interface JournalOptions {
  /** A snapshot is written when the journals have grown by so many bytes. */
  readonly snapshotAfterBytes?: number
  readonly log?: Log
}

// Watchers may have seen versions that were never acknowledged; after a restart none of them may be given out again.
const versionGap = 100_000

/**
 * Keeps a store in a folder: every change is a line in a journal, which is on disk before the change is acknowledged.
 * Changes that come in while the disk is busy go out together.
 */
export class Journal {
  readonly #folder: string
  readonly #store: Store
  readonly #limit: number
  readonly #log: Log
  readonly #unlisten: () => void
  #file: FileHandle
  #bytes: number
  #pending: string[] = []
  /** The batch that is being written. */
  #writing: Promise<void> | undefined
  /** The batch that waits for it, and takes everything that is pending then. */
  #next: Promise<void> | undefined
  #snapshot: Promise<void> | undefined
  #failure: Error | undefined

  private constructor(folder: string, store: Store, file: FileHandle, bytes: number, options: JournalOptions) {
    this.#folder = folder
    this.#store = store
    this.#file = file
    this.#bytes = bytes
    this.#limit = options.snapshotAfterBytes ?? 16 * 1024 * 1024
    this.#log = options.log ?? silentLog
    this.#unlisten = store.listen((collection, event) => {
      this.#pending.push(checkedLine(entryOf(collection, event)))
      // Whoever made the change hears of a failure from kept(); changes of controllers are kept without anybody asking.
      this.kept().catch(() => {})
    })
  }

  /** Puts back into the store what the folder holds, and keeps the store there from now on. */
  static async open(folder: string, store: Store, options: JournalOptions = {}): Promise<Journal> {
    const kept = loadFolder(folder)
    if (kept.version > 0) store.restore(kept.version + versionGap, kept.objects)
    const bytes = journalsOf(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    const file = await open(join(folder, journalName(store.version)), 'a', 0o600)
    return new Journal(folder, store, file, bytes, options)
  }

  /** Resolves once every change so far is on disk. */
  kept(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#pending.length === 0) return this.#writing ?? Promise.resolve()
    this.#next ??= this.#writeNext(this.#writing)
    return this.#next
  }

  /** Writes what is left and lets go of the folder's files. */
  async close(): Promise<void> {
    this.#unlisten()
    try {
      await this.kept()
      await this.#snapshot
    } finally {
      await this.#file.close()
    }
  }

  async #writeNext(before: Promise<void> | undefined): Promise<void> {
    // Without a batch to wait for, every request of this turn of the loop may still join.
    await (before ?? new Promise((resolve) => setImmediate(resolve)))
    const text = this.#pending.join('')
    this.#pending = []
    this.#next = undefined
    const writing = this.#write(text)
    this.#writing = writing
    try {
      await writing
    } finally {
      if (this.#writing === writing) this.#writing = undefined
    }
  }

  async #write(text: string): Promise<void> {
    try {
      const { bytesWritten } = await this.#file.write(text)
      await this.#file.datasync()
      this.#bytes += bytesWritten
      if (this.#bytes > this.#limit && this.#snapshot === undefined) await this.#rotate()
    } catch (error) {
      // The disk and the memory no longer agree: nothing is acknowledged any more.
      this.#failure = error instanceof Error ? error : new Error(String(error))
      throw this.#failure
    }
  }

  /** Goes on in a new journal, and meanwhile writes out the objects of this moment, after which the old ones can go. */
  async #rotate(): Promise<void> {
    const { version } = this.#store
    const objects = this.#store.collections().map((name) => [name, this.#store.list(name)] as const)
    const current = journalName(version)
    const old = journalsOf(this.#folder).filter((name) => name !== current)
    await this.#file.close()
    // Lines that wait may be older than the snapshot; loading skips them.
    this.#file = await open(join(this.#folder, current), 'a', 0o600)
    this.#bytes = 0
    this.#snapshot = this.#replaceOld(version, objects, old)
  }

  async #replaceOld(version: number, objects: Parameters<typeof writeSnapshot>[2], old: string[]): Promise<void> {
    try {
      await writeSnapshot(this.#folder, version, objects)
      for (const name of old) await rm(join(this.#folder, name), { force: true })
    } catch (error) {
      // The old journals still hold everything.
      this.#log.warn('snapshot failed', { folder: this.#folder, error: String(error) })
    } finally {
      this.#snapshot = undefined
    }
  }
}

function entryOf(collection: string, { type, object, version }: StoreEvent): Record<string, unknown> {
  if (type !== 'DELETED') return { version, collection, object }
  const { namespace = '', name } = object.metadata
  return { version, collection, deleted: { namespace, name } }
}

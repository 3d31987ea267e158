import { requireLock } from '../../core/index.ts'
import { ladingOwnership } from '../ownership.ts'
import type { ReleaseRecord } from '../record/record.ts'
import type { ReleaseStore, RevisionKey, RevisionSummary, StoredRecord } from './release-store.ts'
import { checkKey, checkSameRevision, inOrder } from './revision-key.ts'
import { changedError, existsError, unreadableError } from './store-error.ts'
import { summaryOfRecord } from './summary-of-record.ts'

/** How often each operation of a store was called. */
export interface OperationCounts {
  creates: number
  updates: number
  deletes: number
  reads: number
  lists: number
}

/** A store that forgets everything with its process, and counts what is done to it. */
export interface MemoryStore extends ReleaseStore {
  readonly counts: Readonly<OperationCounts>
  /** Makes a record unreadable, as a test wants it. */
  damage(key: RevisionKey): void
}

interface Entry {
  readonly record: ReleaseRecord
  readonly token: string
  readonly damaged: boolean
}

/** Keeps records in memory, for tests and for dry runs. */
export function createMemoryStore(): MemoryStore {
  const entries = new Map<string, Entry>()
  const counts: OperationCounts = { creates: 0, updates: 0, deletes: 0, reads: 0, lists: 0 }
  let writes = 0

  const put = (record: ReleaseRecord): StoredRecord => {
    const entry = { record: structuredClone(record), token: String(++writes), damaged: false }
    entries.set(idOf(record), entry)
    return { record, token: entry.token }
  }
  const summaries = (wanted: (record: ReleaseRecord) => boolean): RevisionSummary[] => {
    counts.lists += 1
    return inOrder([...entries.values()].filter(({ record }) => wanted(record)).map(summaryOf))
  }
  return {
    driver: 'memory',
    ownership: ladingOwnership,
    prepare: (record) => record,
    counts,
    damage(key) {
      const entry = entries.get(idOf(key))
      if (entry !== undefined) entries.set(idOf(key), { ...entry, damaged: true })
    },
    async get(key) {
      checkKey(key)
      counts.reads += 1
      const entry = entries.get(idOf(key))
      if (entry?.damaged === true) throw unreadableError(`the memory of ${idOf(key)}`, 'it is damaged')
      return entry === undefined ? undefined : { record: structuredClone(entry.record), token: entry.token }
    },
    async history(name, namespace) {
      return summaries((record) => record.name === name && record.namespace === namespace)
    },
    async list(namespace) {
      return summaries((record) => namespace === undefined || record.namespace === namespace)
    },
    async create(record, ctx) {
      checkKey(record)
      await requireLock(ctx)
      counts.creates += 1
      if (entries.has(idOf(record))) throw existsError(record)
      return put(record)
    },
    async update(stored, next, ctx) {
      checkSameRevision(stored.record, next)
      await requireLock(ctx)
      counts.updates += 1
      if (entries.get(idOf(next))?.token !== stored.token) throw changedError(next)
      return put(next)
    },
    async delete(stored, ctx) {
      await requireLock(ctx)
      counts.deletes += 1
      const entry = entries.get(idOf(stored.record))
      if (entry !== undefined && entry.token !== stored.token) throw changedError(stored.record)
      entries.delete(idOf(stored.record))
    },
  }
}

function summaryOf({ record, damaged }: Entry): RevisionSummary {
  const { name, namespace, version } = record
  return damaged ? { name, namespace, version, status: 'unknown' } : summaryOfRecord(record)
}

function idOf({ name, namespace, version }: RevisionKey): string {
  return `${namespace}/${name}/v${version}`
}

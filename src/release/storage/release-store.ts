import type { Context } from '../../core/index.ts'
import type { ReleaseRecord, ReleaseStatus } from '../record/record.ts'

/** A revision as a list shows it, known without its payload. */
export interface RevisionSummary {
  readonly name: string
  readonly namespace: string
  readonly version: number
  readonly status: ReleaseStatus | 'unknown'
  readonly updatedAt?: string
  readonly createdAt?: string
  /** What of the source is known without the payload. */
  readonly source?: string
  readonly description?: string
  /** The release's own labels, where it has any. */
  readonly labels?: Readonly<Record<string, string>>
  /** What `get` would give as its token, where a history tells: while it stands, the revision need not be read again. */
  readonly token?: string
}

/** A record with the token that proves that nobody changed it since it was read. */
export interface StoredRecord {
  readonly record: ReleaseRecord
  readonly token: string
}

/** Names one revision. */
export interface RevisionKey {
  readonly name: string
  readonly namespace: string
  readonly version: number
}

/**
 * Keeps the revisions of releases. Every write is optimistic: an update or delete whose token is stale throws
 * `release.changed`, a create of a revision that exists `release.exists`. A record that is there but cannot be read throws
 * `release.unreadable` from `get`, stays in lists (as `unknown` where that shows without its payload), and is never
 * overwritten. Deleting what is gone already succeeds.
 */
export interface ReleaseStore {
  readonly driver: string
  get(key: RevisionKey, ctx: Context): Promise<StoredRecord | undefined>
  /** Revisions of one release, oldest first, without payloads. */
  history(name: string, namespace: string, ctx: Context): Promise<readonly RevisionSummary[]>
  /** Every revision of every release, of one namespace or of all, without payloads. */
  list(namespace: string | undefined, ctx: Context): Promise<readonly RevisionSummary[]>
  create(record: ReleaseRecord, ctx: Context): Promise<StoredRecord>
  update(stored: StoredRecord, next: ReleaseRecord, ctx: Context): Promise<StoredRecord>
  delete(stored: StoredRecord, ctx: Context): Promise<void>
}

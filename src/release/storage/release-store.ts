import type { Context } from '../../core/index.ts'
import type { Ownership } from '../ownership.ts'
import type { ReleaseRecord, ReleaseStatus } from '../record/record.ts'
import type { ReleaseName } from '../release-name.ts'
import type { ChartRelease } from './helm/helm-release.ts'

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

/** What a new revision comes from, beside its record. */
export interface RevisionOrigin {
  /** The chart that the revision was rendered from. */
  readonly chart?: ChartRelease
  /** The revision that stands. */
  readonly previous?: ReleaseRecord
}

/**
 * Keeps the revisions of releases. Every write is optimistic: an update or delete whose token is stale throws
 * `release.changed`, a create of a revision that exists `release.exists`. A record that is there but cannot be read throws
 * `release.unreadable` from `get`, stays in lists (as `unknown` where that shows without its payload), and is never
 * overwritten. Deleting what is gone already succeeds.
 */
export interface ReleaseStore {
  /** What kind of storage it is, for messages. */
  readonly driver: string
  /** How objects of a release are marked and written; `ladingOwnership` unless the records belong to another tool. */
  ownership(release: ReleaseName): Ownership
  /** The first record of a new revision as this store keeps it; called once for each revision, before `create`. Most give the record as it is. */
  prepare(record: ReleaseRecord, origin: RevisionOrigin): ReleaseRecord
  get(key: RevisionKey, ctx: Context): Promise<StoredRecord | undefined>
  /** Revisions of one release, oldest first, without payloads. */
  history(name: string, namespace: string, ctx: Context): Promise<readonly RevisionSummary[]>
  /** Every revision of every release, of one namespace or of all, without payloads. */
  list(namespace: string | undefined, ctx: Context): Promise<readonly RevisionSummary[]>
  create(record: ReleaseRecord, ctx: Context): Promise<StoredRecord>
  update(stored: StoredRecord, next: ReleaseRecord, ctx: Context): Promise<StoredRecord>
  delete(stored: StoredRecord, ctx: Context): Promise<void>
}

import { type Context, isLadingError, type KubeObject, LadingError, objectId, refOf } from '../../core/index.ts'
import type { ReleaseName } from '../release-name.ts'
import type { InventoryEntry, ReleaseRecord } from './record.ts'
import type { HelmRecord } from '../storage/helm/helm-release.ts'
import type { ReleaseStore, RevisionKey, RevisionSummary, StoredRecord } from '../storage/release-store.ts'

/** What is known of a release when an operation begins. */
export interface ReleaseHistory {
  /** Oldest first. */
  readonly revisions: readonly RevisionSummary[]
  readonly latest: StoredRecord | undefined
  /** The newest revision that is or was good: what is on the cluster, unless a later one failed half-way. */
  readonly current: StoredRecord | undefined
  /** Everything that may be on the cluster: of the current revision and of all that were tried after it. */
  readonly inventory: readonly InventoryEntry[]
  /**
   * What revisions that failed right before the current one meant to have, and it has not. The current one has removed it; what is there
   * all the same was written later, by a process that had lost its lock.
   */
  readonly abandoned: readonly InventoryEntry[]
  /** The hooks of revisions that failed since or right before the current one, each as the newest revision with it has it. */
  readonly failedHooks: readonly KubeObject[]
}

/** Reads what an operation needs of a release's history; payloads only of the revisions since the current one. */
export async function readHistory(store: ReleaseStore, release: ReleaseName, ctx: Context): Promise<ReleaseHistory> {
  return await readHistoryAgain(store, release, undefined, ctx)
}

/** Reads a history of which some is known from before: revisions that stand as they were are not read again. */
export async function readHistoryAgain(
  store: ReleaseStore,
  { name, namespace }: ReleaseName,
  known: ReleaseHistory | undefined,
  ctx: Context,
): Promise<ReleaseHistory> {
  const revisions = await store.history(name, namespace, ctx)
  const inventory = new Map<string, InventoryEntry>()
  const abandoned = new Map<string, InventoryEntry>()
  const records: ReleaseRecord[] = []
  let latest: StoredRecord | undefined
  let current: StoredRecord | undefined
  for (const { version, token, status: told } of revisions.toReversed()) {
    if (current !== undefined) {
      const failed = told === 'failed' ? await readableRecord(store, { name, namespace, version }, ctx) : undefined
      if (failed === undefined) break
      records.push(failed)
      for (const entry of failed.inventory) {
        const id = objectId(entry.ref)
        if (!inventory.has(id) && !abandoned.has(id)) abandoned.set(id, entry)
      }
      continue
    }
    const same = [known?.latest, known?.current].find(
      (stored) => stored?.record.version === version && stored.token === token,
    )
    const stored = same ?? (await store.get({ name, namespace, version }, ctx))
    if (stored === undefined) continue
    latest ??= stored
    const { status } = stored.record.state
    if (status === 'uninstalled') break
    records.push(stored.record)
    for (const entry of stored.record.inventory) {
      const id = objectId(entry.ref)
      const newer = inventory.get(id)
      // The newest revision that names an object knows its state best; which object it is may only an older one know.
      if (newer === undefined) inventory.set(id, entry)
      else if (newer.uid === undefined && entry.uid !== undefined) inventory.set(id, { ...newer, uid: entry.uid })
    }
    if (status === 'deployed' || status === 'superseded') current = stored
  }
  const all = { inventory: [...inventory.values()], abandoned: [...abandoned.values()] }
  return { revisions, latest, current, ...all, failedHooks: hooksOfFailed(records) }
}

/** The hooks of those records that failed; the records are given newest first. */
function hooksOfFailed(records: readonly ReleaseRecord[]): KubeObject[] {
  const newest = new Map<string, KubeObject>()
  const failed = new Set<string>()
  for (const { hooks, state } of records) {
    for (const { object } of hooks) {
      const id = objectId(refOf(object))
      if (!newest.has(id)) newest.set(id, object)
      if (state.status === 'failed') failed.add(id)
    }
  }
  return [...newest].flatMap(([id, object]) => (failed.has(id) ? [object] : []))
}

/** A record of an older revision, of which nothing depends but what may be cleaned up; none where Helm wrote it, which has its own ways. */
async function readableRecord(store: ReleaseStore, key: RevisionKey, ctx: Context): Promise<ReleaseRecord | undefined> {
  try {
    const record: HelmRecord | undefined = (await store.get(key, ctx))?.record
    return record?.helm?.foreign === true ? undefined : record
  } catch (error) {
    if (isLadingError(error, 'release.unreadable')) return undefined
    throw error
  }
}

/** The newest good revision before a given one, for a rollback without a target. */
export async function lastGood(
  store: ReleaseStore,
  { name, namespace }: ReleaseName,
  history: ReleaseHistory,
  ctx: Context,
): Promise<StoredRecord> {
  const before = history.latest?.record.version ?? 0
  // When the latest revision is itself good, "back" means the one before it.
  const good = history.revisions.filter(
    ({ version, status }) => version < before && (status === 'superseded' || status === 'deployed'),
  )
  const target = good.at(-1)
  const stored = target === undefined ? undefined : await store.get({ name, namespace, version: target.version }, ctx)
  if (stored !== undefined) return stored
  throw new LadingError(
    'release.no-target',
    `release ${namespace}/${name} has no earlier good revision to roll back to`,
    {
      name,
      namespace,
    },
  )
}

/** A revision that must be there. */
export async function revisionOf(
  store: ReleaseStore,
  { name, namespace }: ReleaseName,
  version: number,
  ctx: Context,
): Promise<StoredRecord> {
  const stored = await store.get({ name, namespace, version }, ctx)
  if (stored !== undefined) return stored
  throw new LadingError('release.no-target', `release ${namespace}/${name} has no revision ${version}`, {
    name,
    namespace,
    version,
  })
}

/** A release counts as installed once it was good; one that failed before, or was uninstalled, is installed anew. */
export function isInstalled({ latest, current }: ReleaseHistory): boolean {
  if (latest === undefined || latest.record.state.status === 'uninstalled') return false
  return current !== undefined
}

/** The refusal to install what is there. */
export function existsAlready({ name, namespace }: ReleaseName, { latest }: ReleaseHistory): LadingError {
  const message = `release ${namespace}/${name} exists already, as revision ${latest?.record.version}`
  return new LadingError('release.exists', message, { name, namespace })
}

/** The refusal to work on what is not there. */
export function noSuchRelease({ name, namespace }: ReleaseName): LadingError {
  return new LadingError('release.not-found', `there is no release ${namespace}/${name}`, { name, namespace })
}

/** Whether a crash left something in a release's history that has to be healed first. */
export function needsHealing(revisions: readonly RevisionSummary[]): boolean {
  const interrupted = revisions.some(({ status }) => status.startsWith('pending-') || status === 'recovering')
  return interrupted || revisions.filter(({ status }) => status === 'deployed').length > 1
}

import { type Context, type LadingEvent, objectId, type ObjectRef } from '../../core/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { findOrphans } from '../diff/find-orphans.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { Plan } from '../plan.ts'
import type { InventoryEntry } from '../record/record.ts'
import { takesOthersAlong } from './orphan-rules.ts'

/** Kinds that hold data: of these, marks alone are not enough to delete one, for a copy or a restored backup carries them too. */
function holdsData({ group, kind }: ObjectRef): boolean {
  return group === '' && (kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume')
}

/** The orphans of a release, for its uninstall. */
export interface SortedOrphans {
  /** They go with the release. */
  readonly going: readonly ObjectRef[]
  /** They are named, and stay. */
  readonly staying: readonly ObjectRef[]
}

/** Finds the orphans, and says which of them an uninstall deletes. */
export async function sortOrphans(
  engine: ReleaseEngine,
  release: ReleaseName,
  history: ReleaseHistory,
  ctx: Context,
): Promise<SortedOrphans> {
  const { orphans } = await findOrphans(engine, release, history, ctx)
  const meant = new Set(history.abandoned.map(({ ref }) => objectId(ref)))
  const stays = (ref: ObjectRef): boolean => takesOthersAlong(ref) || (holdsData(ref) && !meant.has(objectId(ref)))
  return { going: orphans.filter((ref) => !stays(ref)), staying: orphans.filter(stays) }
}

/** The history with the orphans in its inventory, so that they are deleted, and on record until they are. */
export function withOrphans(history: ReleaseHistory, orphans: readonly ObjectRef[]): ReleaseHistory {
  const entries = orphans.map((ref): InventoryEntry => ({ ref, hash: '' }))
  return { ...history, inventory: [...history.inventory, ...entries], abandoned: [] }
}

/** Only what an approved plan deletes. */
export function plannedOrphans(orphans: readonly ObjectRef[], plan: Plan | undefined): readonly ObjectRef[] {
  if (plan === undefined) return orphans
  const deletes = new Set(plan.actions.flatMap(({ ref, action }) => (action === 'delete' ? [objectId(ref)] : [])))
  return orphans.filter((ref) => deletes.has(objectId(ref)))
}

/** Why an orphan stays. */
export const orphanStays =
  'orphan: it carries the marks of the release and stands in no revision; it is kept, because deleting it could delete data or objects of others'

/** Names the orphans that stay. */
export function* tellOrphans(orphans: readonly ObjectRef[]): Generator<LadingEvent> {
  for (const ref of orphans) yield { type: 'warning', ref, message: orphanStays }
}

import { type Context, type LadingEvent, objectId, type ObjectRef } from '../../core/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { findOrphans } from '../diff/find-orphans.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { Plan } from '../plan.ts'
import type { InventoryEntry } from '../record/record.ts'
import { takesOthersAlong } from './stray-rules.ts'

/** Kinds that hold data: of these, marks alone are not enough to delete one, for a copy or a restored backup carries them too. */
function holdsData({ group, kind }: ObjectRef): boolean {
  return group === '' && (kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume')
}

/** What carries the marks of a release and stands in no inventory, for its uninstall. */
export interface Strays {
  /** They go with the release. */
  readonly going: readonly ObjectRef[]
  /** They are named, and stay. */
  readonly staying: readonly ObjectRef[]
}

/** Finds what an uninstall has to delete besides the inventory. */
export async function findStrays(
  engine: ReleaseEngine,
  release: ReleaseName,
  history: ReleaseHistory,
  ctx: Context,
): Promise<Strays> {
  const { orphans } = await findOrphans(engine, release, history, ctx)
  const meant = new Set(history.abandoned.map(({ ref }) => objectId(ref)))
  const stays = (ref: ObjectRef): boolean => takesOthersAlong(ref) || (holdsData(ref) && !meant.has(objectId(ref)))
  return { going: orphans.filter((ref) => !stays(ref)), staying: orphans.filter(stays) }
}

/** The history with the strays in its inventory, so that they are deleted, and on record until they are. */
export function withStrays(history: ReleaseHistory, strays: readonly ObjectRef[]): ReleaseHistory {
  const entries = strays.map((ref): InventoryEntry => ({ ref, hash: '' }))
  return { ...history, inventory: [...history.inventory, ...entries], abandoned: [] }
}

/** Only what an approved plan deletes. */
export function plannedStrays(strays: readonly ObjectRef[], plan: Plan | undefined): readonly ObjectRef[] {
  if (plan === undefined) return strays
  const deletes = new Set(plan.actions.flatMap(({ ref, action }) => (action === 'delete' ? [objectId(ref)] : [])))
  return strays.filter((ref) => deletes.has(objectId(ref)))
}

/** Why a stray stays. */
export const strayStays = 'it carries the marks of the release and stands in no revision: it is not deleted unasked'

/** Names the strays that stay. */
export function* tellStrays(strays: readonly ObjectRef[]): Generator<LadingEvent> {
  for (const ref of strays) yield { type: 'warning', ref, message: strayStays }
}

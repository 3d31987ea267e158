import { type Context, createMask, objectId } from '../../core/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { type ForeignOptions, foreignPolicyOf } from '../ownership/foreign-policy.ts'
import { noSuchRelease, readHistory } from '../record/history.ts'
import { findOrphans, type Orphans } from './find-orphans.ts'
import { lastState, lookAtLive } from './look-at-live.ts'
import { isDrifted, type ObjectDiff } from './object-diff.ts'

/** How far the cluster is from the revision that stands. */
export interface DriftReport extends Orphans {
  readonly release: ReleaseName
  readonly revision: number
  /** Whether others changed an object, added to it or removed it, or there are orphans. */
  readonly drifted: boolean
  /** Every object of the revision, with what others did to it. */
  readonly objects: readonly ObjectDiff[]
}

/** Finds what others changed, added or removed of a release's objects since they were applied, and orphans. Writes nothing. */
export async function drift(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: ForeignOptions,
  ctx: Context,
): Promise<DriftReport> {
  const history = await readHistory(engine.store, release, ctx)
  const { current, inventory } = history
  if (current === undefined) throw noSuchRelease(release)
  const last = await lastState(engine, current.record, ctx)
  const how = { mask: createMask(), foreign: foreignPolicyOf(options) }
  const { states } = await lookAtLive(engine, release, last, inventory, how, ctx)
  const refs = [...last.objects.map(({ ref }) => ref), ...last.unserved]
  const objects = refs.map((ref): ObjectDiff => {
    const { drift: found, note } = states.get(objectId(ref)) ?? {}
    return {
      ref,
      change: 'unchanged',
      changes: [],
      ...(found === undefined ? {} : { drift: found }),
      ...(note === undefined ? {} : { note }),
    }
  })
  const around = await findOrphans(engine, release, history, ctx)
  const drifted = objects.some(isDrifted) || around.orphans.length > 0
  return { release, revision: current.record.version, drifted, objects, ...around }
}

import { type Context, createMask, objectId } from '../../core/index.ts'
import type { ReleaseEngine } from '../deploy.ts'
import type { ReleaseName } from '../desired.ts'
import { noSuchRelease, readHistory } from '../history.ts'
import { lastState, lookAtLive } from './look-at-live.ts'
import { isDrifted, type ObjectDiff } from './object-diff.ts'

/** How far the cluster is from the revision that stands. */
export interface DriftReport {
  readonly release: ReleaseName
  readonly revision: number
  readonly drifted: boolean
  /** Every object of the revision, with what others did to it. */
  readonly objects: readonly ObjectDiff[]
}

/** Finds what others changed or removed of a release's objects since they were applied. Writes nothing. */
export async function drift(engine: ReleaseEngine, release: ReleaseName, ctx: Context): Promise<DriftReport> {
  const { current, inventory } = await readHistory(engine.store, release, ctx)
  if (current === undefined) throw noSuchRelease(release)
  const last = await lastState(engine, current.record, ctx)
  const { states } = await lookAtLive(engine, release, last, inventory, createMask(), ctx)
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
  return { release, revision: current.record.version, drifted: objects.some(isDrifted), objects }
}

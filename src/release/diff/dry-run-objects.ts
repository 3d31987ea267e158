import { type Context, objectId, type ObjectRef } from '../../core/index.ts'
import { applySet, type SetObject } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { ReleaseName } from '../release-name.ts'
import { writingAs } from '../ownership/ownership.ts'

/**
 * What the API server would make of objects if they were applied now, by id. Fields of others are taken over in this dry run, so
 * that what differs from the live object is what we want otherwise, with the server's own defaults on both sides.
 */
export async function dryRunObjects(
  { cluster, store }: ReleaseEngine,
  chosen: readonly DesiredObject[],
  all: readonly DesiredObject[],
  release: ReleaseName,
  ctx: Context,
): Promise<Map<string, SetObject>> {
  if (chosen.length === 0) return new Map()
  const ids = new Set(chosen.map(({ id }) => id))
  // An autoscaler of the set decides about replicas, so it is part of every rehearsal.
  const set = all.filter(({ id, ref }) => ids.has(id) || isAutoscaler(ref)).map(({ object }) => object)
  const dry = applySet(
    cluster,
    set,
    {
      ...writingAs(store.ownership(release), {}),
      namespace: release.namespace,
      dryRun: true,
      conflicts: 'force',
      onError: 'continue',
    },
    ctx,
  )
  for (;;) {
    const next = await dry.next()
    // What would be taken over is told by the diff itself.
    if (next.done !== true) continue
    return new Map(next.value.objects.map((outcome) => [objectId(outcome.ref), outcome]))
  }
}

function isAutoscaler({ group, kind }: ObjectRef): boolean {
  return kind === 'HorizontalPodAutoscaler' && group === 'autoscaling'
}

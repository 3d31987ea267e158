import { type Context, type LadingEvent, timeLeft } from '../../core/index.ts'
import { type DeletionWave, deletionWaves } from '../plan/deletion-waves.ts'
import {
  type Cluster,
  type DeleteRules,
  deleteSet,
  type DeleteSetOptions,
  type DeleteTarget,
  type SetObject,
} from '../../kube/index.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { Plan } from '../plan.ts'

/** Deletes wave by wave, each gone before the next one starts unless nothing is waited for. */
export async function* deleteWaves(
  cluster: Cluster,
  waves: readonly DeletionWave<DeleteTarget>[],
  { deadline, ...options }: Omit<DeleteSetOptions, 'timeoutMs'> & { readonly deadline: number },
  ctx: Context,
): AsyncGenerator<LadingEvent, SetObject[]> {
  const outcomes: SetObject[] = []
  for (const { items } of waves) {
    const timeoutMs = timeLeft(deadline, ctx)
    const { objects } = yield* deleteSet(cluster, items, { ...options, timeoutMs }, ctx)
    outcomes.push(...objects)
  }
  return outcomes
}

/** Deletes what a plan has found that its release no longer wants. */
export async function* prune(
  cluster: Cluster,
  plan: Plan,
  history: ReleaseHistory,
  options: DeleteRules & { readonly deadline: number },
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  const targets = plan.actions.filter(({ action }) => action === 'delete').map(({ ref }) => ref)
  yield* deleteWaves(
    cluster,
    deletionWaves(targets, (target) => target, history, plan.release),
    options,
    ctx,
  )
}

import {
  type Context,
  defined,
  type KubeObject,
  LadingError,
  type LadingEvent,
  objectId,
  refOf,
} from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import {
  checkHealth,
  isWaitedFor,
  readHistory,
  recordMask,
  refuseOtherCluster,
  type ReleaseEngine,
  type ReleaseRecord,
  type SavedPlan,
} from '../../release/index.ts'
import type { PipelineServices } from '../services.ts'
import type { HealthOutputs } from './deploy-outputs.ts'
import { contentsOf, type DeployPlan, recordOutputs } from './deploy-plan.ts'

/** Waits until a release that needs no change is healthy; one that is not is an error that says why. */
export async function* checkDeployed(
  plan: DeployPlan,
  engine: ReleaseEngine,
  { healthUrls }: Pick<PipelineServices, 'healthUrls'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, HealthOutputs> {
  const saved = contentsOf(plan)
  const { name, namespace } = saved.release
  await refuseOtherCluster(engine.cluster, saved, ctx)
  const { latest } = await readHistory(engine.store, saved.release, ctx)
  if (latest?.record.version !== saved.previous || latest.record.state.status !== 'deployed') {
    const problem = `release ${namespace}/${name} moved on since it was planned: plan it again`
    throw new LadingError('plan.stale', problem, { name, namespace })
  }
  const { timeout_ms: timeoutMs = 300_000 } = plan
  const limits = { timeoutMs, mask: recordMask(latest.record), ...defined({ healthUrls }) }
  const { failure } = yield* checkHealth(engine.cluster, objectsOf(saved, latest.record), limits, ctx)
  if (failure !== undefined) throw failure
  return { outcome: 'unchanged', health: 'healthy', ...recordOutputs(latest.record) }
}

/** What the release wants and what is there; Jobs that have run and are gone were good. */
function objectsOf({ actions }: SavedPlan, { manifest }: ReleaseRecord): KubeObject[] {
  const wanted = new Map(readObjects(manifest).map((object) => [objectId(refOf(object)), object]))
  return actions.flatMap(({ ref, liveVersion }) => {
    const { namespace: _, ...unplaced } = ref
    const object = wanted.get(objectId(ref)) ?? wanted.get(objectId(unplaced))
    if (object === undefined || liveVersion === null || !isWaitedFor(object)) return []
    const placed = ref.namespace === undefined ? {} : { namespace: ref.namespace }
    return [{ ...object, metadata: { ...object.metadata, ...placed } }]
  })
}

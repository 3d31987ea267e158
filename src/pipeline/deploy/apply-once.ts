import { type Context, LadingError, type LadingEvent } from '../../core/index.ts'
import {
  apply,
  planHash,
  readHistory,
  recover,
  refuseOtherCluster,
  type ReleaseEngine,
  type ReleaseRecord,
} from '../../release/index.ts'
import type { PipelineServices } from '../services.ts'
import type { Job } from '../jobs/job.ts'
import type { ApplyOutputs } from './deploy-outputs.ts'
import { contentsOf, type DeployPlan, readingOf, recordOutputs } from './deploy-plan.ts'
import { verifySource } from './verify-source.ts'

/** The labels that a revision carries, so that a plan is known to be begun, and by which job. */
const planLabel = 'pipeline.lading.dev/plan'
const jobLabel = 'pipeline.lading.dev/job'

/**
 * Carries out an approved plan, once: a revision carries the plan and the job that made it, so a job that another runner had begun is
 * recognised. What was finished is reported; what was not is healed and refused, never done a second time. Another job with the same
 * approval is refused.
 */
export async function* applyOnce(
  { id }: Pick<Job, 'id'>,
  plan: DeployPlan,
  engine: ReleaseEngine,
  services: PipelineServices,
  held: () => Promise<void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, ApplyOutputs> {
  const saved = contentsOf(plan)
  const { release } = saved
  // Before the history of a release of the same name elsewhere is taken for this one's.
  await refuseOtherCluster(engine.cluster, saved, ctx)
  const mark = planHash(saved).slice('sha256:'.length, 'sha256:'.length + 40)
  const { latest } = await readHistory(engine.store, release, ctx)
  // Labels go on to the next revision: only the one that the plan was to make was made by it.
  const labels = { [planLabel]: mark, [jobLabel]: id }
  const isBegun =
    latest?.record.version === saved.revision &&
    latest.record.labels[planLabel] === mark &&
    latest.record.labels[jobLabel] === id
  if (isBegun) return yield* begunAlready(engine, latest.record, ctx)
  // A teardown takes its record along: what is not there any more was torn down.
  if (saved.operation === 'uninstall' && latest === undefined) return { outcome: 'uninstalled', resumed: true }
  if (saved.inputs.content !== undefined) await verifySource(saved.inputs.content.source, plan, services, ctx)
  const { wait = true, wait_for_jobs: waitForJobs, timeout_ms: timeoutMs, stabilization_ms: stabilizationMs } = plan
  // The last moment at which a runner that was taken for dead can find out.
  await held()
  const { healthUrls } = services
  const { approval } = plan
  const options = { wait, waitForJobs, timeoutMs, stabilizationMs, healthUrls, approval, labels }
  const reading = readingOf(services, plan)
  const { outcome, record } = yield* apply(engine, saved, { ...options, reading }, ctx)
  return { outcome, ...(record === undefined ? {} : recordOutputs(record)) }
}

async function* begunAlready(
  engine: ReleaseEngine,
  record: ReleaseRecord,
  ctx: Context,
): AsyncGenerator<LadingEvent, ApplyOutputs> {
  const { name, namespace, version, state } = record
  if (state.status === 'deployed') return { outcome: 'deployed', resumed: true, ...recordOutputs(record) }
  yield* recover(engine, { name, namespace }, ctx)
  const problem = `revision ${version} of ${namespace}/${name} was begun by this plan and did not become good: make a new plan`
  throw new LadingError('plan.stale', problem, { name, namespace, revision: version })
}

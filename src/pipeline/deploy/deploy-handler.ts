import { type Context, LadingError, type LadingEvent, monotonicNow } from '../../core/index.ts'
import { clusterIdentity } from '../../kube/index.ts'
import { refusePlan, type ReleaseEngine, requireApproval } from '../../release/index.ts'
import { type Job, jobOf } from '../jobs/job.ts'
import type { JobOutputs } from '../jobs/job-operations.ts'
import type { JobHandler, JobWork } from '../jobs/run-job.ts'
import type { PipelineServices } from '../services.ts'
import { applyOnce } from './apply-once.ts'
import { checkDeployed } from './check-deployed.ts'
import { contentsOf, type DeployPlan, requireSigned } from './deploy-plan.ts'
import { operationLimit } from './deploy-time.ts'
import { detectDrift } from './detect-drift.ts'
import { planApply, planTeardown } from './plan-deploy.ts'

/** The operations of a deploy. */
export type DeployOperation =
  | 'create-apply-plan'
  | 'create-teardown-plan'
  | 'apply-plan'
  | 'check-health'
  | 'detect-drift'
type DeployOutputs = JobOutputs<DeployOperation>
type Connection = ReleaseEngine & { close?(): Promise<void> }

/** Plans, applies and tears down what an artifact holds, and looks for drift. */
export function deployHandler(services: PipelineServices): JobHandler {
  return (job, held) => {
    const { plan, operation } = deployJob(job)
    const begunAt = monotonicNow(services.clock)
    let connection: Connection | undefined
    let outputs: DeployOutputs | undefined
    const connected: JobWork = {
      initialize: async (ctx) => {
        if (services.engine === undefined)
          throw new LadingError('job.unsupported', 'this runner has no cluster', { type: job.type })
        connection = await services.engine(plan.engine ?? {})
        await refuseElsewhere(job, connection, ctx)
      },
      outputs: () => Promise.resolve(outputs),
      cleanup: async () => {
        await connection?.close?.()
      },
    }
    return {
      ...connected,
      ...(operation === 'apply-plan'
        ? {
            validate: async () => {
              const contents = contentsOf(plan)
              requireApproval(contents, plan.approval)
              requireSigned(contents, plan, services.planKeys)
              // No approval makes possible what the plan itself says cannot be done.
              refusePlan(contents)
            },
          }
        : {}),
      execute: async function* (ctx) {
        const timeoutMs = operationLimit(job, plan, monotonicNow(ctx.clock) - begunAt)
        outputs = yield* work(job, { ...plan, timeout_ms: timeoutMs }, connection!, services, held, ctx)
      },
    }
  }
}

function deployJob(job: Job): Job<DeployOperation> {
  return jobOf(job, 'create-apply-plan', 'create-teardown-plan', 'apply-plan', 'check-health', 'detect-drift')
}

async function* work(
  job: Job,
  plan: DeployPlan,
  engine: Connection,
  services: PipelineServices,
  held: () => Promise<void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployOutputs> {
  switch (deployJob(job).operation) {
    case 'create-apply-plan':
      return yield* planApply(plan, engine, services, ctx)
    case 'create-teardown-plan':
      return yield* planTeardown(plan, engine, ctx)
    case 'apply-plan':
      return yield* applyOnce(job, plan, engine, services, held, ctx)
    case 'check-health':
      return yield* checkDeployed(plan, engine, services, ctx)
    case 'detect-drift':
      return yield* detectDrift(plan, engine, services, held, ctx)
  }
}

/** A runner takes no job for another cluster; whoever runs one nevertheless is refused before anything is read there. */
async function refuseElsewhere({ id, cluster: wanted }: Job, { cluster }: ReleaseEngine, ctx: Context): Promise<void> {
  if (wanted === undefined) return
  const current = await clusterIdentity(cluster, ctx)
  if (current === wanted) return
  const problem = `job ${id} is for the cluster ${wanted}, and this is the cluster ${current}`
  throw new LadingError('job.wrong-cluster', problem, { id, wanted, current })
}

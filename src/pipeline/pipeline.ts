import { hostname } from 'node:os'
import { type Context, LadingError, type LadingEvent } from '../core/index.ts'
import { clusterIdentity } from '../kube/index.ts'
import type { BuildDemands } from './build/build-plan.ts'
import type { DeployPlan } from './deploy/deploy-plan.ts'
import { pipelineHandlers } from './handlers.ts'
import type { Job, NewJob } from './jobs/job.ts'
import type { JobOperation, JobOutputs } from './jobs/job-operations.ts'
import type { JobStore } from './jobs/job-store.ts'
import type { ClusterOf } from './jobs/leave-to-others.ts'
import { runNow } from './jobs/run-now.ts'
import type { PipelineServices } from './services.ts'

/** What components are built and deployed with. */
export interface Pipeline {
  /** Where jobs are kept: every build, plan and apply is one. */
  readonly store: JobStore
  readonly services: PipelineServices
  /** The name of this process in the job store (default: host name and process id). */
  readonly worker?: string
  /** What the jobs of this pipeline are held to, whoever runs them. */
  readonly demands?: PipelineDemands
  /** The identity of the cluster that deploys are for (default: of the one that `services.engine` connects to). */
  readonly cluster?: ClusterOf
}

/** What jobs are held to, whoever runs them; stored with each job, so never a credential. */
export interface PipelineDemands {
  readonly build?: BuildDemands
  readonly deploy?: Pick<DeployPlan, 'trust' | 'registry_access' | 'engine'>
}

/** A job that has finished. */
export interface FinishedJob<Operation extends JobOperation> {
  readonly id: string
  readonly outputs: JobOutputs<Operation>
}

/** Enqueues a job and runs it in this process; a job of a deploy names its cluster. Throws the error of a job that failed. */
export async function* runInPipeline<Operation extends JobOperation>(
  pipeline: Pipeline,
  newJob: NewJob<Operation>,
  ctx: Context,
): AsyncGenerator<LadingEvent, FinishedJob<Operation>> {
  const { store, services, worker = `${hostname()}/${process.pid}` } = pipeline
  const placed =
    newJob.type === 'kubernetes-manifest-deploy' ? { ...newJob, cluster: await clusterOf(pipeline, ctx) } : newJob
  const job: Job<Operation> = yield* runNow(store, pipelineHandlers(services), placed, { worker }, ctx)
  const { id, outputs } = job
  if (outputs === undefined) throw new LadingError('internal', `job ${id} finished and left no outputs`)
  return { id, outputs }
}

async function clusterOf({ cluster, services, demands }: Pipeline, ctx: Context): Promise<string> {
  if (cluster !== undefined) return cluster(ctx)
  if (services.engine === undefined) {
    throw new LadingError('usage.invalid', 'a deploy needs a cluster: give the pipeline services.engine')
  }
  const engine = await services.engine(demands?.deploy?.engine ?? {})
  try {
    return await clusterIdentity(engine.cluster, ctx)
  } finally {
    await engine.close?.()
  }
}

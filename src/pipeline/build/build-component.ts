import { type Context, type Operation, operation, type OperationOptions } from '../../core/index.ts'
import type { RemoteOptions } from '../../release/index.ts'
import type { Component } from '../config/component.ts'
import type { Job, NewJob } from '../jobs/job.ts'
import { jobOf } from '../jobs/job.ts'
import { type Pipeline, runInPipeline } from '../pipeline.ts'
import { type BuildOutputs, planBuild, type RepositoryTag } from './build-plan.ts'

/** Where the artifact of a build goes, and how it is made. */
export interface BuildTarget extends RepositoryTag {
  /** Recipients of age (`age1…`) that the artifact is encrypted for. */
  readonly recipients?: readonly string[] | undefined
  /** Hosts from which a kustomization may fetch (default: none). */
  readonly remote?: RemoteOptions | undefined
}

/** What a build gives. */
export interface BuildResult extends BuildOutputs {
  /** The id of the job that did it. */
  readonly job: string
}

/** Builds a component whose inputs are resolved into an artifact of a registry, as a job that runs in this process. */
export function buildComponent(
  pipeline: Pipeline,
  component: Component,
  target: BuildTarget,
  ctx: Context,
  options: OperationOptions = {},
): Operation<BuildResult> {
  return operation(
    'buildComponent',
    async function* () {
      const { id, outputs } = yield* runInPipeline(pipeline, newBuild(pipeline, component, target), ctx)
      return { job: id, ...outputs }
    },
    options,
  )
}

/** Leaves the build of a component to a runner; gives the job as it waits. */
export async function enqueueBuild(
  pipeline: Pipeline,
  component: Component,
  target: BuildTarget,
): Promise<Job<'build'>> {
  return jobOf(await pipeline.store.enqueue(newBuild(pipeline, component, target)), 'build')
}

function newBuild({ demands }: Pipeline, component: Component, target: BuildTarget): NewJob<'build'> {
  const { recipients = [], remote, ...to } = target
  const all = { ...demands?.build, ...(recipients.length === 0 ? {} : { recipients }) }
  return {
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group: `build/${component.name}`,
    plan: planBuild(component, to, all, remote),
    timeoutMs: component.buildTimeoutMs,
    maxRetries: component.maxAutoRetries,
  }
}

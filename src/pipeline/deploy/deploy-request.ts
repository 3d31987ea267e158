import { defined } from '../../core/index.ts'
import { formatReference, parseReference } from '../../oci/index.ts'
import type { BuildTarget } from '../build/build-component.ts'
import type { Component } from '../config/component.ts'
import type { NewJob } from '../jobs/job.ts'
import type { PipelineDemands } from '../pipeline.ts'
import type { DeployOperation } from './deploy-handler.ts'
import type { DeployPlan } from './deploy-plan.ts'
import { deployJobLimit } from './deploy-time.ts'
import { deployGroup } from './schedule-drift.ts'

/** What a deploy brings to the cluster: a new build, an artifact that exists, an earlier revision, or nothing at all. */
export type DeploySource =
  | { readonly build: BuildTarget }
  /** `oci://host/repository`, with a tag or a digest. */
  | { readonly artifact: string }
  /** The digest of the artifact whose revision is gone back to. */
  | { readonly rollbackTo: string }
  | { readonly teardown: true }

/** What a plan of a deploy may do, and for how long it can be applied. */
export interface DeploySettings {
  readonly createNamespace?: boolean | undefined
  readonly forceConflicts?: boolean | undefined
  /** Takes over objects that belong to nobody or to another release. */
  readonly takeOwnership?: boolean | undefined
  /** Plans to delete and create again what cannot be changed in place. */
  readonly replace?: boolean | undefined
  readonly waitForJobs?: boolean | undefined
  /** How long the plan can be applied (default: a day). */
  readonly planLifetimeMs?: number | undefined
}

/** What the component and the settings say about a deploy, whatever is deployed. */
export function baseRequest(
  { name, namespace, health, deployTimeoutMs, dependencies }: Component,
  settings: DeploySettings,
  demands: PipelineDemands = {},
): DeployPlan {
  return {
    ...demands.deploy,
    component_id: name,
    component_name: name,
    kubernetes_manifest: { namespace },
    dependencies,
    wait: health.enabled,
    timeout_ms: deployTimeoutMs,
    ...defined({
      wait_for_jobs: settings.waitForJobs === true ? true : undefined,
      stabilization_ms: health.stabilizationMs,
      plan_lifetime_ms: settings.planLifetimeMs,
      create_namespace: settings.createNamespace === true ? true : undefined,
      force_conflicts: settings.forceConflicts === true ? true : undefined,
      replace: settings.replace === true ? true : undefined,
      take_ownership: settings.takeOwnership === true ? true : undefined,
    }),
  }
}

/** The artifact that a component is deployed from, as plans name it. */
export function artifactPlan(reference: string): Pick<DeployPlan['kubernetes_manifest'], 'oci_artifact'> {
  const { registry, repository, tag, digest } = parseReference(reference)
  return { oci_artifact: { url: formatReference({ registry, repository }), ...defined({ tag, digest }) } }
}

/** A job of a component's deploy. */
export function newDeploy<Operation extends DeployOperation>(
  { deployTimeoutMs, maxAutoRetries }: Component,
  operation: Operation,
  plan: DeployPlan,
): NewJob<Operation> {
  const job = {
    type: 'kubernetes-manifest-deploy',
    operation,
    group: deployGroup(plan),
    plan,
    timeoutMs: deployJobLimit(deployTimeoutMs),
    // A plan is applied once: one that was begun is healed and refused, never begun again.
    maxRetries: operation === 'apply-plan' ? 0 : maxAutoRetries,
  } as const
  return job
}

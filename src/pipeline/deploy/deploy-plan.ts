import { defined, LadingError } from '../../core/index.ts'
import type { Reference } from '../../oci/index.ts'
import { type Approval, type ReleaseName, type ReleaseRecord, type SavedPlan, verifyPlan } from '../../release/index.ts'
import type { RevisionOutputs } from './deploy-outputs.ts'
import type { EngineAccess, PipelineServices, RegistryAccess } from '../services.ts'
import type { Trust } from '../verify-demands.ts'

/** Everything that a deploy needs to know, as plain data; never a credential. */
export interface DeployPlan {
  /** Whose cluster it is; only told, never used. */
  readonly install_id?: string
  readonly component_id: string
  /** Name of the release. */
  readonly component_name: string
  readonly kubernetes_manifest: {
    readonly namespace: string
    readonly oci_artifact?: { readonly url: string; readonly tag?: string; readonly digest?: string }
  }
  readonly wait?: boolean
  /** With `wait`, also wait until the Jobs have completed. */
  readonly wait_for_jobs?: boolean
  readonly timeout_ms?: number
  readonly stabilization_ms?: number
  readonly create_namespace?: boolean
  readonly force_conflicts?: boolean
  /** Takes over objects that belong to nobody or to another release. */
  readonly take_ownership?: boolean
  /** Plans to delete and create again what cannot be changed in place, for the approval to decide on. */
  readonly replace?: boolean
  /** Releases that have to be good first, as `name` of the same namespace or `namespace/name`. */
  readonly dependencies?: readonly string[]
  /** Undoes what a look for drift finds changed or missing on the cluster. */
  readonly correct_drift?: boolean
  /** With `correct_drift`, also removes the fields that others added to objects. */
  readonly remove_foreign_fields?: boolean
  /** Managers whose added fields are neither reported nor removed; `*` stands for any run of characters. */
  readonly ignore_managers?: readonly string[]
  /** Whether the usual controllers are ignored too; true unless told. */
  readonly default_ignores?: boolean
  /** Goes back to the revision that this digest was deployed by, instead of deploying it anew. */
  readonly rollback_to?: string
  /** How long the plan can be applied; a day unless told. */
  readonly plan_lifetime_ms?: number
  /** What `apply-plan` carries out. */
  readonly apply_plan_contents?: SavedPlan
  readonly approval?: Approval
  readonly trust?: Trust
  readonly registry_access?: RegistryAccess
  readonly engine?: EngineAccess
}

/** Refuses a plan that was not signed as the job demands, or as the runner does, which no job can take back. */
export function requireSigned(plan: SavedPlan, { trust, approval }: DeployPlan, own: readonly string[] = []): void {
  for (const keys of [trust?.plan_keys ?? [], own]) verifyPlan(plan, keys, approval?.signatures)
}

/** The plan that is to be applied. */
export function contentsOf({ apply_plan_contents: contents, component_name: name }: DeployPlan): SavedPlan {
  if (contents !== undefined) return contents
  throw new LadingError('plan.invalid', `the deploy of ${name} has no plan to apply`, { name })
}

/** The release of a component. */
export function releaseOf({ component_name: name, kubernetes_manifest: { namespace } }: DeployPlan): ReleaseName {
  return { name, namespace }
}

/** What a job says about the revision that it came to. */
export function recordOutputs({ version, pack, inventory }: ReleaseRecord): RevisionOutputs {
  return { revision: version, objects: inventory.length, ...(pack.digest === undefined ? {} : { digest: pack.digest }) }
}

/** How the artifact of a deploy is read; its signatures were verified before. */
export function readingOf({ open, identities }: PipelineServices, { registry_access: access }: DeployPlan) {
  return { artifacts: { open: (reference: Reference) => open(reference, { access }), ...defined({ identities }) } }
}

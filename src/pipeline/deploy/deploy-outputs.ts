import type { SavedPlan } from '../../release/index.ts'
import type { ObjectChange } from './change-report.ts'

/** What planning a deploy leaves. */
export interface PlanOutputs {
  /** As it can be applied; it holds the seed of random values, so keep it as secret as a kubeconfig. */
  readonly plan: SavedPlan
  /** What an approval names. */
  readonly plan_hash: string
  /** Whether the release is good and as planned already, so that nothing needs to be applied. */
  readonly unchanged: boolean
  readonly changes: readonly ObjectChange[]
  /** The changes for people to read. */
  readonly text: string
}

/** The revision that a deploy came to. */
export interface RevisionOutputs {
  readonly revision?: number
  /** How many objects it has. */
  readonly objects?: number
  /** Of the artifact that it came from. */
  readonly digest?: string
}

/** What applying a plan leaves. */
export interface ApplyOutputs extends RevisionOutputs {
  readonly outcome: 'deployed' | 'unchanged' | 'uninstalled'
  /** Set where an earlier runner had finished the work. */
  readonly resumed?: boolean
}

/** What a health check of a release that needs no change leaves. */
export interface HealthOutputs extends RevisionOutputs {
  readonly outcome: 'unchanged'
  readonly health: 'healthy'
}

/** What a look for drift found. */
export interface DriftOutputs {
  readonly result: 'no-drift' | 'drift-detected'
  /** The artifact that is deployed, and the one that its tag names now. */
  readonly artifact: { readonly deployed?: string; readonly current?: string; readonly changed: boolean }
  readonly objects: readonly {
    readonly id: string
    readonly state: 'modified' | 'added' | 'missing' | 'orphan'
    /** Changes of what is deployed. */
    readonly changes: readonly DriftedField[]
    /** Fields that others added. */
    readonly added: readonly DriftedField[]
  }[]
  /** Kinds that could not be searched for orphans because they may not be listed. */
  readonly unlisted?: readonly string[]
  /** Whether the deployed revision was applied again, and as which one. */
  readonly corrected?: boolean
  readonly revision?: number
  /** After a correction: whether there is still drift. */
  readonly left?: boolean
}

/** A field that drifted, without its value, which may be secret. */
export interface DriftedField {
  readonly path: string
  readonly manager?: string
  readonly time?: string
}

import type { ErrorCode, KubeObject, ObjectRef } from '../core/index.ts'
import type { FieldConflict } from '../kube/index.ts'
import type { ReleaseName } from './release-name.ts'
import type { FieldChange } from './diff/diff-objects.ts'
import type { HookPhase, SourceInfo } from './record/record.ts'

/** What a plan does. */
export type Operation = 'install' | 'upgrade' | 'rollback' | 'uninstall'

/** What would become of one object. */
export type PlanActionType =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'unchanged'
  | 'conflict'
  | 'keep'
  | 'later'
  | 'invalid'

/** One object's part of a plan. */
export interface PlanAction {
  readonly ref: ObjectRef
  readonly action: PlanActionType
  /** Hash of the desired object; absent for what is deleted or kept. */
  readonly hash?: string
  /** The version that the decision was made on; null when the object was absent. */
  readonly liveVersion: string | null
  /** Of all but the status of the live object, so that a status that moved on does not make a plan stale. */
  readonly liveFingerprint?: string
  readonly changes?: readonly FieldChange[]
  /** What is created, in a plan that is shown or saved; values of a Secret are `***`. */
  readonly object?: KubeObject
  readonly conflicts?: readonly FieldConflict[]
  /** The annotations of another release, and Helm's label, that are removed, for the object is taken from it. */
  readonly removesMarks?: readonly string[]
  /** Why it is kept, invalid, taken from another release, or only known later. */
  readonly reason?: string
  /** What stands in the way, in the words of the error table. */
  readonly code?: ErrorCode
}

/** A hook's place in a plan. */
export interface PlannedHook {
  readonly phase: HookPhase
  readonly ref: ObjectRef
  readonly weight: number
  /** Why it cannot run: the server would refuse it, or it would replace what belongs to others. */
  readonly problem?: string
  /** What stands in the way, in the words of the error table. */
  readonly code?: ErrorCode
  /** What has its name now, and is deleted or overwritten when it runs. */
  readonly replaces?: string
  /** What is created, in a plan that is shown or saved; values of a Secret are `***`. */
  readonly object?: KubeObject
}

/** What an operation will do: it can be saved, shown and approved, and holds no Secret's value. */
export interface Plan {
  readonly format: 'lading.dev/plan/v1'
  readonly operation: Operation
  readonly release: ReleaseName
  /** The cluster that it was made for: the uid of its namespace `kube-system`. Every saved plan has it, one that is carried out at once does not. */
  readonly cluster?: string
  /** The uid of the release's namespace when it was made, null where there was none; only of a saved plan. */
  readonly namespaceUid?: string | null
  /** Random, so that each saved plan is one of its own and is applied once. */
  readonly nonce?: string
  /** A saved plan is not applied after this time. */
  readonly expiresAt?: string
  /** What hashes and tokens of Secrets in the plan are keyed with; it is as secret as they are. */
  readonly key?: string
  /** The revision that it makes. */
  readonly revision: number
  /** The latest revision when it was made; 0 for none. */
  readonly previous: number
  /** The revision that a rollback goes back to. */
  readonly target?: number
  readonly source?: SourceInfo
  /** Hash of the rendered objects. */
  readonly objectsHash: string
  readonly createdAt: string
  readonly waves: readonly { readonly order: number; readonly step: number; readonly objects: readonly ObjectRef[] }[]
  readonly hooks: readonly PlannedHook[]
  readonly actions: readonly PlanAction[]
}

/** The phases of hooks around an operation, before and after. */
export function phasesOf(operation: Operation): [HookPhase, HookPhase] {
  switch (operation) {
    case 'install':
      return ['pre-install', 'post-install']
    case 'upgrade':
      return ['pre-upgrade', 'post-upgrade']
    case 'rollback':
      return ['pre-rollback', 'post-rollback']
    case 'uninstall':
      return ['pre-delete', 'post-delete']
  }
}

import type { ErrorCode } from './errors.ts'
import type { ObjectStatusName } from './operations/events.ts'
import type { ObjectRef } from './objects/object.ts'

/** One object that failed, as errors about several objects list it. */
export interface ObjectFailure {
  readonly ref: ObjectRef
  readonly code?: ErrorCode
  readonly message?: string
  /** The details of the object's own error. */
  readonly details?: Readonly<Record<string, unknown>> & { readonly conflicts?: readonly FieldConflict[] }
  readonly conflicts?: readonly FieldConflict[]
  /** The last lines that a hook or test wrote before it failed. */
  readonly log?: readonly string[]
}

/** One field that another field manager owns with a different value. */
export interface FieldConflict {
  readonly manager: string
  readonly operation?: 'Apply' | 'Update'
  /** Set where the other manager wrote through one, for example `scale`. */
  readonly subresource?: string
  /** The version in which the other manager wrote. */
  readonly apiVersion?: string
  /** As the API server writes it: `.spec.template.spec.containers[name="app"].image`. */
  readonly path: string
  /** The value that we want; masked where it is a Secret's. */
  readonly ours: unknown
  /** The live value; masked where it is a Secret's. */
  readonly theirs: unknown
}

/** One cause of a refusal as the API server's Status lists it. */
export interface StatusCause {
  readonly reason?: string
  readonly field?: string
  readonly message?: string
}

/** One object that was waited for, and how it stood at the end. */
export interface WaitedObject {
  readonly ref: ObjectRef
  readonly status: ObjectStatusName
  readonly message: string
  readonly reason?: string
  /** Pods that did not come up. */
  readonly pods?: readonly PodDiagnosis[]
  /** The last events about the object itself. */
  readonly events?: readonly EventLine[]
}

/** A pod that did not come up, with what a person would look at first. */
export interface PodDiagnosis {
  readonly ref: ObjectRef
  readonly message: string
  readonly reason?: string
  readonly container?: string
  readonly events: readonly EventLine[]
  /** The last lines of the container's log, of its run before the last restart where there was one. */
  readonly logTail?: readonly string[]
}

/** One thing that happened to an object, as the cluster recorded it. */
export interface EventLine {
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly count: number
  /** When it last happened, as the cluster wrote it. */
  readonly at: string
}

/** An object that is being deleted, and what keeps it. */
export interface Holdup {
  readonly ref: ObjectRef
  /** Its finalizers, those of a namespace's `spec` among them. */
  readonly finalizers: readonly string[]
  /** For a namespace, what its conditions say about the content that remains. */
  readonly conditions: readonly { readonly type: string; readonly message: string }[]
  readonly deletionTimestamp?: string
}

import type { ErrorCode } from './errors.ts'
import type { ObjectAction } from './operations/events.ts'
import type { FieldConflict, Holdup, ObjectFailure, StatusCause, WaitedObject } from './failed-objects.ts'
import type { ObjectRef } from './objects/object.ts'

/** Facts that errors of any code may carry; a fact means the same in every code. */
export interface CommonDetails {
  readonly name?: string
  readonly namespace?: string
  readonly kind?: string
  /** The file that is wrong, or that cannot be read or written. */
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
  readonly column?: number
  /** The field that is wrong, for example `spec.replicas`. */
  readonly field?: string
  /** The HTTP status that a server answered with. */
  readonly status?: number
  /** The server's or the operating system's own word for the failure, for example `AlreadyExists` or `ECONNREFUSED`. */
  readonly reason?: string
  /** The causes that the API server lists. */
  readonly causes?: readonly StatusCause[]
  /** How long the API server asks clients to wait. */
  readonly retryAfterSeconds?: number
  /** How long a registry asks clients to wait: seconds, or a date. */
  readonly retryAfter?: string
  /** The kustomizations that led to the one that failed, the first one first. */
  readonly trail?: readonly string[]
  /** The revision that was begun. */
  readonly revision?: number
  /** Whether a hook that failed asks for a rollback. */
  readonly rollback?: boolean
  /** The last lines of the log of the hook in `ref`. */
  readonly log?: readonly string[]
  /** The object that failed; of `git.failed` the git reference. */
  readonly ref?: ObjectRef | string
  readonly objects?: readonly (WaitedObject | ObjectRef | string)[]
  readonly failures?: readonly ObjectFailure[]
  readonly conflicts?: readonly FieldConflict[]
}

/** The name and namespace of the release that the error is about. */
export interface OfRelease {
  readonly name: string
  readonly namespace: string
}

/** Objects that were not ready, with the reason of each. */
export interface NotReady {
  readonly objects?: readonly WaitedObject[]
  readonly waitedMs?: number
}

/** A file and what is wrong in it. */
export interface InFile {
  readonly file: string
}

/** What the errors of one code carry beside the common facts. A code without an entry carries any facts. */
export interface ErrorDetails {
  'config.invalid': { readonly component?: string; readonly input?: string }
  'disk.full': InFile & { readonly code: string }
  'usage.invalid': { readonly flag?: string }

  'kubeconfig.exec-refused': InFile & { readonly field: string }
  'kube.field-conflict': { readonly conflicts?: readonly FieldConflict[] }
  'kube.immutable': { readonly fields: readonly string[]; readonly causes: readonly StatusCause[] }
  'kube.copy-failed': { readonly exitCode?: number }

  'apply.failed': {
    readonly failures: readonly ObjectFailure[]
    /** How many objects had each outcome. */
    readonly summary?: Readonly<Record<ObjectAction, number>>
  }
  'wait.timeout': NotReady
  'wait.failed': NotReady
  'delete.failed': { readonly failures: readonly ObjectFailure[] }
  'delete.timeout': NotReady & { readonly waitingFor?: readonly Holdup[]; readonly finalizers?: readonly string[] }

  'release.not-found': OfRelease
  'release.exists': OfRelease
  'release.locked': OfRelease & { readonly holder: string; readonly operation: string }
  'release.lock-lost': OfRelease & { readonly operation: string }
  'release.changed': OfRelease
  'release.no-target': OfRelease & { readonly version?: number; readonly digests?: readonly string[] }
  'release.unreadable': {
    /** The stored record. */
    readonly where: string
    readonly reason: string
  }
  'release.too-large': OfRelease & { readonly size: number; readonly limit: number }
  'release.wrong-cluster': OfRelease & { readonly version: number; readonly recorded: string; readonly current: string }
  'release.failed': OfRelease &
    NotReady & {
      readonly revision: number
      /** The code of the failure itself. */
      readonly code: ErrorCode
    }
  'hook.failed': NotReady & { readonly phase?: string }
  'hook.invalid': { readonly annotation?: string }
  'wave.cycle': { readonly objects?: readonly string[] }
  'object.duplicate': { readonly objects?: readonly ObjectRef[]; readonly id?: string }

  'plan.stale': { readonly planned?: unknown; readonly current?: unknown; readonly moved?: readonly ObjectRef[] }
  'plan.mismatch': OfRelease & { readonly difference: string }
  'plan.expired': OfRelease & { readonly expiresAt: string }
  'plan.used': OfRelease & { readonly at?: string }
  'plan.wrong-cluster': OfRelease & { readonly planned: string; readonly current: string }
  'approval.denied': { readonly plan_hash?: string; readonly by?: string; readonly flag?: string }

  'job.not-found': { readonly id: string }
  'job.lost': { readonly id: string; readonly fence: number }
  'job.timed-out': { readonly id: string; readonly objects?: readonly WaitedObject[] }
  'job.unsupported': { readonly type: string }
  'job.wrong-cluster': { readonly id: string; readonly wanted: string; readonly current: string }
  'job.unreadable': { readonly id: string }
  'job.store-failed': { readonly version?: number }
  'job.key-invalid': InFile

  'git.failed': { readonly url?: string; readonly commit?: string; readonly ref?: string }
  'patch.invalid': {
    /** Set where the patch itself is malformed, and not merely at odds with the object. */
    readonly malformed?: unknown
    /** Which operation of a JSON patch failed, counted from 0. */
    readonly index?: number
  }
  'cel.invalid': { readonly expression?: string; readonly place?: string; readonly offset?: number }
  'oci.not-found': {
    readonly registry?: string
    /** The registry's own code, for example `BLOB_UNKNOWN`. */
    readonly code?: string
  }
  'oci.digest-mismatch': { readonly actual?: string | number; readonly expected?: string }
  'signature.invalid': { readonly digest?: string; readonly problems?: readonly string[] }
}

/** What an error of this code carries: its own facts, the common ones, and whatever the layers above have added. */
export type DetailsOf<Code extends ErrorCode = ErrorCode> = ErrorCode extends Code
  ? CommonDetails & OtherDetails
  : Code extends keyof ErrorDetails
    ? ErrorDetails[Code] & Omit<CommonDetails, keyof ErrorDetails[Code]> & OtherDetails
    : CommonDetails & OtherDetails

/** Details that no code declares. */
export type OtherDetails = Readonly<Record<string, unknown>>

import type { ErrorCode } from '../errors.ts'
import type { ObjectRef } from '../objects/object.ts'

/** What became of one object; a closed set, so that printers and clients can switch on it. */
export type ObjectAction = 'created' | 'configured' | 'unchanged' | 'replaced' | 'deleted' | 'skipped' | 'failed'

/** How far one object is, in kstatus' words. */
export type ObjectStatusName = 'Current' | 'InProgress' | 'Failed' | 'Terminating' | 'NotFound' | 'Unknown'

/** What long operations yield; CLI, SSE, MCP and tests consume the same stream. */
export type LadingEvent =
  | { readonly type: 'stage-started'; readonly stage: string; readonly objects: number; readonly dryRun: boolean }
  | { readonly type: 'stage-finished'; readonly stage: string }
  | ObjectEvent
  | {
      readonly type: 'status'
      readonly ref: ObjectRef
      readonly status: ObjectStatusName
      readonly message: string
    }
  | HookEvent
  | {
      /** What became of one piece of an artifact: content that is there is not sent. */
      readonly type: 'blob'
      readonly digest: string
      readonly mediaType: string
      readonly size: number
      readonly action: 'copied' | 'mounted' | 'present'
    }
  | { readonly type: 'warning'; readonly ref?: ObjectRef; readonly message: string }
  | { readonly type: 'progress'; readonly message: string; readonly done?: number; readonly total?: number }

/** The outcome for one object of a set. */
export interface ObjectEvent {
  readonly type: 'object'
  readonly ref: ObjectRef
  readonly action: ObjectAction
  readonly dryRun: boolean
  /** Why it was skipped or failed. */
  readonly reason?: string
  /** The code of the failure, when `action` is `failed`. */
  readonly code?: ErrorCode
}

/** What a hook of a release does. */
export interface HookEvent {
  readonly type: 'hook'
  readonly ref: ObjectRef
  /** For example `pre-install`. */
  readonly phase: string
  readonly status: 'started' | 'succeeded' | 'failed' | 'retried' | 'deleted'
  readonly message?: string
  /** The end of its log, kept before its object is removed. */
  readonly log?: readonly string[]
  /** Set where the operation ends by it: the error that follows has the log too. */
  readonly fatal?: boolean
}

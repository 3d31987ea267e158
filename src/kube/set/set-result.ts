import {
  type ErrorCode,
  formatRef,
  type KubeObject,
  LadingError,
  type LadingEvent,
  type ObjectAction,
  type ObjectRef,
} from '../../core/index.ts'

/** What became of one object of a set. */
export interface SetObject {
  readonly ref: ObjectRef
  readonly action: ObjectAction
  /** The live object after the write, or as it would be in a dry run; absent where nothing was written. */
  readonly object?: KubeObject
  /** The object before, where it was read whole: always in a dry run. */
  readonly live?: KubeObject
  /** Why it was skipped. */
  readonly reason?: string
  readonly error?: LadingError
}

/** How many objects of a set had each outcome. */
export type SetSummary = Readonly<Record<ObjectAction, number>>

/** One failure of a set as errors carry it. */
export interface SetFailure {
  readonly ref: ObjectRef
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Counts outcomes. */
export function summarize(objects: readonly SetObject[]): SetSummary {
  const summary = { created: 0, configured: 0, unchanged: 0, replaced: 0, deleted: 0, skipped: 0, failed: 0 }
  for (const { action } of objects) summary[action]++
  return summary
}

/** The event that tells an outcome. */
export function objectEvent({ ref, action, reason, error }: SetObject, dryRun: boolean): LadingEvent {
  const why = reason ?? error?.message
  return {
    type: 'object',
    ref,
    action,
    dryRun,
    reason: why,
    ...(error !== undefined && { code: error.code }),
  }
}

/** The failed objects, as data that is safe to show. */
export function failuresOf(objects: readonly SetObject[]): SetFailure[] {
  return objects.flatMap(({ ref, error }) =>
    error === undefined ? [] : [{ ref, code: error.code, message: error.message, details: error.details }],
  )
}

/** One sentence that names the failed objects, the first few of many. */
export function tellFailures(failures: readonly SetFailure[]): string {
  const named = failures.slice(0, 3).map((failure) => `${formatRef(failure.ref)}: ${failure.message}`)
  const more = failures.length - named.length
  return more > 0 ? `${named.join('; ')}; and ${more} more` : named.join('; ')
}

/** Failures that every other object of the set would meet as well, so that trying on makes no sense. */
const setBreaking: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'cancelled',
  'timeout',
  'auth.failed',
  'kube.unreachable',
  'kube.tls',
  'kube.unauthorized',
])

/** The failure of one object as data; throws what concerns the whole set. */
export function objectFailure(error: unknown): LadingError {
  if (error instanceof LadingError && !setBreaking.has(error.code)) return error
  throw error
}

/** The outcomes of a set as they come in, the last one for an object standing. */
export class Outcomes {
  readonly #byId = new Map<string, SetObject>()
  #failed = 0

  /** Notes an outcome and gives the event that tells it. */
  record(id: string, outcome: SetObject, dryRun: boolean): LadingEvent {
    if (this.#byId.get(id)?.action === 'failed') this.#failed--
    if (outcome.action === 'failed') this.#failed++
    this.#byId.set(id, outcome)
    return objectEvent(outcome, dryRun)
  }

  get(id: string): SetObject | undefined {
    return this.#byId.get(id)
  }

  get anyFailed(): boolean {
    return this.#failed > 0
  }

  all(): SetObject[] {
    return [...this.#byId.values()]
  }
}

import { type Clock, systemClock } from './clock.ts'
import { type Log, silentLog } from './log.ts'

/** What anything slow gets as its last argument. */
export interface Context {
  readonly signal: AbortSignal
  readonly log: Log
  readonly clock: Clock
}

const neverAborted = new AbortController().signal

/** A context from the parts that the caller cares about. */
export function context(parts: Partial<Context> = {}): Context {
  return { signal: parts.signal ?? neverAborted, log: parts.log ?? silentLog, clock: parts.clock ?? systemClock }
}

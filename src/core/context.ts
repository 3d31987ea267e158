import { type Clock, systemClock } from './time/clock.ts'
import type { Deadline } from './time/deadline.ts'
import { defined } from './defined.ts'
import type { LadingError } from './errors.ts'
import { type Log, silentLog } from './log.ts'

/** What anything slow gets as its last argument. */
export interface Context {
  readonly signal: AbortSignal
  readonly log: Log
  readonly clock: Clock
  /** Under a lock: what every write has to pass. */
  readonly fence?: Fence
  /** Of an operation with a time limit: when it has to be done. */
  readonly deadline?: Deadline
}

/** Keeps a process that may have lost its lock, for example because it was suspended, from writing. */
export interface Fence {
  /** Why nothing may be written at this instant; asked right before a write goes out. */
  refusal(): LadingError | undefined
  /** Asks whether the lock is still held, and throws `release.lock-lost` if it is not. */
  confirm(): Promise<void>
}

/** Throws if the lock that this work is done under was lost; for writes that do not go to an API server. */
export async function requireLock({ fence }: Context): Promise<void> {
  if (fence?.refusal() !== undefined) await fence.confirm()
}

const neverAborted = new AbortController().signal

/** A context from the parts that the caller cares about. */
export function context(parts: Partial<Context> = {}): Context {
  const { signal = neverAborted, log = silentLog, clock = systemClock, fence, deadline } = parts
  return { signal, log, clock, ...defined({ fence, deadline }) }
}

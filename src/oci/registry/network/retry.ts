import {
  type Attempts,
  type Clock,
  isFinalStatus,
  type LadingError,
  nextAttempt,
  type RetryPolicy,
} from '../../../core/index.ts'

/** The policy of every client that does not say otherwise. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  throttledAttempts: 8,
  maxElapsedMs: 180_000,
  maxPauseMs: 10_000,
  random: Math.random,
}

/** Milliseconds to wait before the next attempt, or undefined when the error stands. */
export function retryDelay(
  policy: RetryPolicy,
  error: LadingError,
  so: Readonly<Attempts>,
  clock: Clock,
): number | undefined {
  if (!error.retryable || error.code === 'cancelled' || error.code === 'timeout' || isFinalStatus(error.details.status))
    return undefined
  return nextAttempt(policy, so, error.code === 'oci.throttled', askedDelay(error.details.retryAfter, clock))
}

/** Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3). */
function askedDelay(asked: string | undefined, clock: Clock): number {
  if (asked === undefined) return 0
  const ms = /^\d{1,9}$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

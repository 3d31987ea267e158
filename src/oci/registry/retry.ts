import type { Clock, LadingError } from '../../core/index.ts'

/** When a failed request is worth another attempt. */
export interface RetryPolicy {
  /** Attempts in all after lost connections and server errors. */
  readonly attempts: number
  /** Attempts in all while the registry asks to come back later. */
  readonly throttledAttempts: number
  /** No attempt begins later than this after the first one. */
  readonly maxElapsedMs: number
  /** A number in [0, 1). */
  readonly random: () => number
}

/** The policy of every client that does not say otherwise. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  throttledAttempts: 8,
  maxElapsedMs: 180_000,
  random: Math.random,
}

const baseMs = 100
const capMs = 10_000

/** Milliseconds to wait before the next attempt, or undefined when the error stands. */
export function retryDelay(
  policy: RetryPolicy,
  error: LadingError,
  made: number,
  elapsedMs: number,
  clock: Clock,
): number | undefined {
  const throttled = error.code === 'oci.throttled'
  // 501 and 505 say what the registry cannot do at all.
  if (!error.retryable || error.code === 'cancelled') return undefined
  if (error.details['status'] === 501 || error.details['status'] === 505) return undefined
  if (made >= (throttled ? policy.throttledAttempts : policy.attempts)) return undefined
  // Full jitter: clients that failed together must not come back together.
  const jitter = policy.random() * Math.min(capMs, baseMs * 2 ** made)
  const delay = askedDelay(error.details['retryAfter'], clock) + jitter
  return elapsedMs + delay > policy.maxElapsedMs ? undefined : delay
}

/** Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3). */
function askedDelay(asked: unknown, clock: Clock): number {
  if (typeof asked !== 'string') return 0
  const ms = /^\d{1,9}$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

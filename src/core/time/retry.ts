/** When a failed attempt is worth another one. */
export interface RetryPolicy {
  /** Attempts in all after lost connections and server errors. */
  readonly attempts: number
  /** Attempts in all while the server asks to come back later. */
  readonly throttledAttempts: number
  /** No attempt begins later than this after the first one. */
  readonly maxElapsedMs: number
  /** The longest pause that nobody asked for. */
  readonly maxPauseMs: number
  /** A number in [0, 1). */
  readonly random: () => number
}

/** How the attempts at one thing went so far. */
export interface Attempts {
  /** Attempts made. */
  made: number
  /** Milliseconds since the first one began. */
  elapsedMs: number
}

const firstPauseMs = 100

/** Milliseconds to wait before the next attempt, or undefined when there is none left; `askedMs` is what the server asked for. */
export function nextAttempt(
  policy: RetryPolicy,
  so: Readonly<Attempts>,
  throttled: boolean,
  askedMs: number,
): number | undefined {
  if (so.made >= (throttled ? policy.throttledAttempts : policy.attempts)) return undefined
  // Full jitter: clients that failed together must not come back together.
  const delay = askedMs + policy.random() * Math.min(policy.maxPauseMs, firstPauseMs * 2 ** so.made)
  return so.elapsedMs + delay > policy.maxElapsedMs ? undefined : delay
}

/** Whether a status says what a server cannot do at all (501 and 505), so that asking again is of no use. */
export function isFinalStatus(status: unknown): boolean {
  return status === 501 || status === 505
}

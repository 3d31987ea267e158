import type { LadingError } from '../core/index.ts'
import type { KubeRequest } from './transport.ts'

/** When a failed attempt is worth another one. */
export interface RetryPolicy {
  /** Attempts in all after lost connections and server errors. */
  readonly attempts: number
  /** Attempts in all while the server asks to come back later. */
  readonly throttledAttempts: number
  /** No attempt begins later than this after the first one. */
  readonly maxElapsedMs: number
  /** A number in [0, 1). */
  readonly random: () => number
}

/** The policy of every transport that does not say otherwise. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  throttledAttempts: 12,
  maxElapsedMs: 90_000,
  random: Math.random,
}

const baseMs = 100
const capMs = 5_000

/** How the attempts of one request went so far. */
export interface Attempts {
  /** Attempts made. */
  made: number
  /** Milliseconds since the first one began. */
  elapsedMs: number
}

/** Milliseconds to wait before the next attempt, or undefined when the error stands. */
export function retryDelay(
  policy: RetryPolicy,
  request: KubeRequest,
  error: LadingError,
  sent: boolean,
  so: Readonly<Attempts>,
): number | undefined {
  const throttled = error.code === 'kube.throttled'
  if (!throttled && !worthRepeating(error, sent, request)) return undefined
  if (so.made >= (throttled ? policy.throttledAttempts : policy.attempts)) return undefined
  // Full jitter: clients that failed together must not come back together.
  const jitter = policy.random() * Math.min(capMs, baseMs * 2 ** so.made)
  const asked = error.details['retryAfterSeconds']
  const delay = typeof asked === 'number' ? asked * 1000 + jitter : jitter
  return so.elapsedMs + delay > policy.maxElapsedMs ? undefined : delay
}

function worthRepeating(error: LadingError, sent: boolean, request: KubeRequest): boolean {
  if (error.code !== 'kube.unreachable' && error.code !== 'kube.timeout' && error.code !== 'kube.server-error')
    return false
  // 501 and 505 say what the server cannot do at all.
  if (error.details['status'] === 501 || error.details['status'] === 505) return false
  // Server-side apply answers a malformed object with a 500 that has no reason: applyObject finds out what it means.
  if (error.details['status'] === 500 && error.details['reason'] === undefined && isApply(request)) return false
  return !sent || isRepeatable(request)
}

/** Whether sending a request twice has the effect of sending it once. */
export function isRepeatable(request: KubeRequest): boolean {
  if (request.repeatable !== undefined) return request.repeatable
  if (request.method === 'PATCH') return isApply(request)
  return request.method !== 'POST'
}

function isApply(request: KubeRequest): boolean {
  return request.contentType?.startsWith('application/apply-patch') ?? false
}

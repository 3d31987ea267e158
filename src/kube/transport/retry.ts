import { type Attempts, isFinalStatus, type LadingError, nextAttempt, type RetryPolicy } from '../../core/index.ts'
import type { KubeRequest } from './transport.ts'

/** The policy of every transport that does not say otherwise. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  throttledAttempts: 12,
  maxElapsedMs: 90_000,
  maxPauseMs: 5_000,
  random: Math.random,
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
  const asked = error.details.retryAfterSeconds ?? 0
  return nextAttempt(policy, so, throttled, asked * 1000)
}

function worthRepeating(error: LadingError, sent: boolean, request: KubeRequest): boolean {
  if (error.code !== 'kube.unreachable' && error.code !== 'kube.timeout' && error.code !== 'kube.server-error')
    return false
  if (isFinalStatus(error.details.status)) return false
  // Server-side apply answers a malformed object with a 500 that has no reason: applyObject finds out what it means.
  if (error.details.status === 500 && error.details.reason === undefined && isApply(request)) return false
  return !sent || isRepeatable(request)
}

/** Whether sending a request twice has the effect of sending it once. */
function isRepeatable(request: KubeRequest): boolean {
  if (request.repeatable !== undefined) return request.repeatable
  if (request.method === 'PATCH') return isApply(request)
  return request.method !== 'POST'
}

function isApply(request: KubeRequest): boolean {
  return request.contentType?.startsWith('application/apply-patch') ?? false
}

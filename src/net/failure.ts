import { connectionCode, isTlsCode, LadingError } from '../core/index.ts'
import { forbiddenAddressCode } from './host-guard.ts'

/** Why a request got no answer. Each room tells it with its own error codes. */
export type NetFailure =
  | { readonly kind: 'cancelled'; readonly url: URL; readonly reason: unknown }
  /** The address is on a network that the request must not reach. */
  | { readonly kind: 'forbidden'; readonly url: URL }
  | {
      readonly kind: 'tls' | 'timeout' | 'unreachable'
      readonly url: URL
      /** Node's code of the error, such as ECONNREFUSED. */
      readonly code: string | undefined
      /** The proxy that was asked, without its user. */
      readonly proxy: string | undefined
      readonly cause: unknown
    }
  /** The proxy opened no tunnel and answered with a status instead. */
  | {
      readonly kind: 'tunnel'
      readonly url: URL
      readonly proxy: string
      readonly status: number
      readonly cause: unknown
    }
  | { readonly kind: 'redirect'; readonly url: URL; readonly to?: URL; readonly problem: RedirectProblem }

/** Why a redirect was not followed. */
export type RedirectProblem = 'not-http' | 'user' | 'unencrypted' | 'too-many'

/** Turns a failure into the error of the room that made the request. */
export type Explain = (failure: NetFailure) => LadingError

/** The error for a connection that failed, classified by error code alone, never by message text. */
export function netError(
  error: unknown,
  { url, proxy }: { readonly url: URL; readonly proxy?: string | undefined },
  signal: AbortSignal,
  explain: Explain,
): LadingError {
  if (signal.aborted) return explain({ kind: 'cancelled', url, reason: signal.reason })
  return ladingErrorIn(error) ?? explain(failureOf(error, url, proxy))
}

function failureOf(error: unknown, url: URL, proxy: string | undefined): NetFailure {
  const { code: own, statusCode: status } = error as { code?: unknown; statusCode?: unknown }
  if (proxy !== undefined && own === 'ERR_PROXY_TUNNEL' && typeof status === 'number') {
    return { kind: 'tunnel', url, proxy, status, cause: error }
  }
  const code = connectionCode(error)
  if (code === forbiddenAddressCode) return { kind: 'forbidden', url }
  const kind = code !== undefined && isTlsCode(code) ? 'tls' : code === 'ETIMEDOUT' ? 'timeout' : 'unreachable'
  return { kind, url, code, proxy, cause: error }
}

// Content that proved wrong while it was sent fails the request; that error is the one to report.
function ladingErrorIn(error: unknown): LadingError | undefined {
  if (error instanceof LadingError) return error
  return error instanceof Error && error.cause !== undefined ? ladingErrorIn(error.cause) : undefined
}

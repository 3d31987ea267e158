import { LadingError } from '../core/index.ts'

const tlsCode =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|CRL_)/
const timeoutCodes = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])

/** The failure of a connection as Lading tells it, classified by error code alone. */
export function wireError(error: unknown, server: string): LadingError {
  if (error instanceof LadingError) return error
  const code = errorCode(error)
  const details = { server, ...(code !== undefined && { reason: code }) }
  if (code === undefined)
    return new LadingError('internal', `the request to ${server} failed`, details, { cause: error })
  if (tlsCode.test(code)) {
    return new LadingError('kube.tls', `no trusted TLS connection to ${server}: ${code}`, details, { cause: error })
  }
  if (timeoutCodes.has(code)) {
    return new LadingError('kube.timeout', `${server} did not answer in time: ${code}`, details, { cause: error })
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new LadingError('cancelled', `the connection to ${server} was closed`, details, { cause: error })
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new LadingError('internal', `the request to ${server} cannot be sent`, details, { cause: error })
  }
  return new LadingError('kube.unreachable', `no connection to ${server}: ${code}`, details, { cause: error })
}

/** The error for a certificate, key or authority that cannot even be read. */
export function tlsMaterialError(error: unknown, server: string): LadingError {
  const reason = errorCode(error) ?? 'unreadable'
  const message = `the certificate authority or client certificate for ${server} cannot be used: ${reason}`
  return new LadingError('kube.tls', message, { server, reason }, { cause: error })
}

/** The error that an aborted signal stands for: the reason itself when the caller gave one of Lading's errors. */
export function cancelled(reason: unknown): LadingError {
  if (reason instanceof LadingError) return reason
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new LadingError('kube.timeout', 'the time allowed for the operation is over', {}, { cause: reason })
  }
  return new LadingError('cancelled', 'the operation was cancelled', {}, { cause: reason })
}

/** Connecting to several addresses fails with an AggregateError; undici wraps proxy failures: the code may be inside. */
function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const inner = error instanceof AggregateError ? errorCode(error.errors[0]) : errorCode(cause)
  return inner ?? (typeof code === 'string' ? code : undefined)
}

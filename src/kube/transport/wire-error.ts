import { abortError, connectionCode, isTlsCode, LadingError } from '../../core/index.ts'

const timeoutCodes = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])

/** The failure of a connection as Lading tells it, classified by error code alone. */
export function wireError(error: unknown, server: string): LadingError {
  if (error instanceof LadingError) return error
  const code = connectionCode(error)
  const details = { server, reason: code }
  if (code === undefined)
    return new LadingError('internal', `the request to ${server} failed`, details, { cause: error })
  if (isTlsCode(code)) {
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
  const reason = connectionCode(error) ?? 'unreadable'
  const message = `the certificate authority or client certificate for ${server} cannot be used: ${reason}`
  return new LadingError('kube.tls', message, { server, reason }, { cause: error })
}

/** The error that an aborted signal stands for. */
export function cancelled(reason: unknown): LadingError {
  return abortError(reason, 'kube.timeout')
}

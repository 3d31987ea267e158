import { LadingError } from '../../core/index.ts'
import { privateAddressCode } from './private-address.ts'

const tlsCode =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$|CRL_)/

/** The failure of a connection as Lading tells it, classified by error code alone. */
export function wireError(error: unknown, host: string, signal: AbortSignal): LadingError {
  if (signal.aborted) return cancelled(signal.reason)
  const inner = ladingErrorIn(error)
  if (inner !== undefined) return inner
  const code = errorCode(error)
  const details = { registry: host, ...(code !== undefined && { reason: code }) }
  const shown = code ?? 'unknown reason'
  if (code === privateAddressCode) return privateTarget(host)
  if (code !== undefined && tlsCode.test(code)) {
    return new LadingError('oci.tls', `no trusted TLS connection to ${host}: ${shown}`, details, { cause: error })
  }
  if (code === 'ETIMEDOUT') {
    return new LadingError('oci.timeout', `${host} did not answer in time: ${shown}`, details, { cause: error })
  }
  return new LadingError('oci.unreachable', `no connection to ${host}: ${shown}`, details, { cause: error })
}

/** The error for an address inside of a private network that a registry outside of it sends clients to. */
export function privateTarget(host: string): LadingError {
  const message = `the registry sends clients to ${host}, which is on a private network, and is not on one itself`
  return new LadingError('oci.unsafe', message, { host })
}

/** The error that an aborted signal stands for: the reason itself when the caller gave one of Lading's errors. */
export function cancelled(reason: unknown): LadingError {
  if (reason instanceof LadingError) return reason
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new LadingError('oci.timeout', 'the time allowed for the operation is over', {}, { cause: reason })
  }
  return new LadingError('cancelled', 'the operation was cancelled', {}, { cause: reason })
}

/** Content that proved wrong while it was sent fails the request, and is what has to be told. */
function ladingErrorIn(error: unknown): LadingError | undefined {
  if (error instanceof LadingError) return error
  return error instanceof Error && error.cause !== undefined ? ladingErrorIn(error.cause) : undefined
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const inner = error instanceof AggregateError ? errorCode(error.errors[0]) : errorCode(cause)
  return inner ?? (typeof code === 'string' ? code : undefined)
}

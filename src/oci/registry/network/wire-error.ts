import { abortError, connectionCode, isTlsCode, LadingError } from '../../../core/index.ts'
import { privateAddressCode } from './host-guard.ts'

/** The failure of a connection as Lading tells it, classified by error code alone. */
export function wireError(error: unknown, host: string, signal: AbortSignal): LadingError {
  if (signal.aborted) return cancelled(signal.reason)
  const inner = ladingErrorIn(error)
  if (inner !== undefined) return inner
  const code = connectionCode(error)
  const details = { registry: host, ...(code !== undefined && { reason: code }) }
  const shown = code ?? 'unknown reason'
  if (code === privateAddressCode) return privateTarget(host)
  if (code !== undefined && isTlsCode(code)) {
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

/** The error that an aborted signal stands for. */
export function cancelled(reason: unknown): LadingError {
  return abortError(reason, 'oci.timeout')
}

/** Content that proved wrong while it was sent fails the request, and is what has to be told. */
function ladingErrorIn(error: unknown): LadingError | undefined {
  if (error instanceof LadingError) return error
  return error instanceof Error && error.cause !== undefined ? ladingErrorIn(error.cause) : undefined
}

import { abortError, LadingError } from '../../../core/index.ts'
import { type Explain, netError, type NetFailure } from '../../../net/index.ts'

/** The failure of a connection to a registry as a LadingError. */
export function wireError(error: unknown, url: URL, signal: AbortSignal): LadingError {
  return netError(error, { url }, signal, explainRegistry(url))
}

/** The error that an aborted signal stands for. */
export function cancelled(reason: unknown): LadingError {
  return abortError(reason, 'oci.timeout')
}

/** Reports failed requests with the error codes of registries; `origin` is the registry. */
export function explainRegistry(origin?: URL): Explain {
  return (failure) => {
    const { host } = failure.url
    switch (failure.kind) {
      case 'cancelled':
        return cancelled(failure.reason)
      case 'forbidden': {
        const message = `the registry sends clients to ${host}, which is on a private network, and is not on one itself`
        return new LadingError('oci.unsafe', message, { host })
      }
      case 'redirect': {
        const registry = (origin ?? failure.url).host
        return new LadingError('oci.unsafe', `${registry} ${redirectProblems[failure.problem]}`, { registry })
      }
      case 'tunnel': {
        const { proxy, status } = failure
        const message = `the proxy ${proxy} does not connect to ${host}: it answered ${status}`
        const code = status === 407 ? 'oci.denied' : 'oci.unreachable'
        return new LadingError(code, message, { registry: host, proxy, status }, { cause: failure.cause })
      }
      case 'tls':
      case 'timeout':
      case 'unreachable':
        return connectionError(failure, host)
    }
  }
}

const redirectProblems = {
  'not-http': 'redirects to what is not an http(s) URL',
  user: 'redirects to a URL with a user',
  unencrypted: 'redirects from https to http',
  'too-many': 'redirects too often',
}

type ConnectionFailure = Extract<NetFailure, { readonly kind: 'tls' | 'timeout' | 'unreachable' }>

function connectionError({ kind, code, proxy, cause }: ConnectionFailure, host: string): LadingError {
  const where = proxy === undefined ? host : `${host} through ${proxy}`
  const shown = code ?? 'unknown reason'
  const message = {
    tls: `no trusted TLS connection to ${where}: ${shown}`,
    timeout: `${where} did not answer in time: ${shown}`,
    unreachable: `no connection to ${where}: ${shown}`,
  }[kind]
  return new LadingError(`oci.${kind}`, message, { registry: where, reason: code }, { cause })
}

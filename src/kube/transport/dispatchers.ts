import { createSecureContext, rootCertificates } from 'node:tls'
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { Connection, Credentials } from '../connect/connection.ts'
import { tlsMaterialError } from './wire-error.ts'

/** The connection pools of one transport. */
export interface Dispatchers {
  /** For requests: a bounded number of keep-alive connections. */
  request(credentials: Credentials): Dispatcher
  /** For watches and followed logs, which hold a connection each and must not starve requests. */
  stream(credentials: Credentials): Dispatcher
  /** Ends everything, what is in flight included. */
  close(): Promise<void>
}

/** Pools for a connection; a changed client certificate (exec credentials rotate them) opens new ones. */
export function createDispatchers(connection: Connection, connections: number, connectTimeoutMs: number): Dispatchers {
  const requests = new Lane((credentials) => open(connection, credentials, connections, connectTimeoutMs))
  const streams = new Lane((credentials) => open(connection, credentials, undefined, connectTimeoutMs))
  return {
    request: (credentials) => requests.get(credentials),
    stream: (credentials) => streams.get(credentials),
    close: async () => {
      await Promise.all([requests.close(), streams.close()])
    },
  }
}

class Lane {
  readonly #open: (credentials: Credentials) => Dispatcher
  readonly #retiring = new Set<Dispatcher>()
  #current: { readonly cert: string | undefined; readonly dispatcher: Dispatcher } | undefined

  constructor(open: (credentials: Credentials) => Dispatcher) {
    this.#open = open
  }

  get(credentials: Credentials): Dispatcher {
    if (this.#current !== undefined && this.#current.cert === credentials.cert) return this.#current.dispatcher
    const dispatcher = this.#open(credentials)
    if (this.#current !== undefined) this.#retire(this.#current.dispatcher)
    this.#current = { cert: credentials.cert, dispatcher }
    return dispatcher
  }

  async close(): Promise<void> {
    const all = [...this.#retiring, ...(this.#current === undefined ? [] : [this.#current.dispatcher])]
    await Promise.all(all.map((each) => each.destroy()))
  }

  /** What is in flight under the old certificate finishes. */
  #retire(dispatcher: Dispatcher): void {
    this.#retiring.add(dispatcher)
    void dispatcher.close().then(() => this.#retiring.delete(dispatcher))
  }
}

function open(
  connection: Connection,
  credentials: Credentials,
  connections: number | undefined,
  timeout: number,
): Dispatcher {
  const { origin, protocol } = new URL(connection.server)
  const tls = protocol === 'https:' ? tlsOptions(connection, credentials) : {}
  // Timeouts are the transport's own, so undici's timers stay off. Idle connections outlive the pauses between the stages of
  // a set, and end before the 90 s after which API servers close them.
  const shared = { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 60_000 }
  if (connection.proxyUrl === undefined) {
    const connect = { ...tls, timeout, keepAliveInitialDelay: 30_000 }
    return new Pool(origin, { ...shared, connections: connections ?? null, connect })
  }
  return new ProxyAgent({
    ...shared,
    ...(connections !== undefined && { connections }),
    uri: connection.proxyUrl,
    requestTls: { ...tls, timeout },
    proxyTls: proxyTls(connection),
    connectTimeout: timeout,
  })
}

/** One secure context for all connections: reading certificates anew costs more than the handshake's resumption saves. */
function tlsOptions(connection: Connection, credentials: Credentials): object {
  const { ca, serverName, insecure } = connection.tls
  const { cert, key } = credentials
  // OpenSSL takes a bundle without any certificate for an empty one.
  if (ca !== undefined && !ca.includes('-----BEGIN ')) throw tlsMaterialError(undefined, connection.server)
  try {
    return {
      secureContext: createSecureContext({ ca, cert, key }),
      ...(serverName !== undefined && { servername: serverName }),
      rejectUnauthorized: insecure !== true,
    }
  } catch (error) {
    throw tlsMaterialError(error, connection.server)
  }
}

/** An https proxy may be certified by the public authorities or by the cluster's own. */
function proxyTls({ tls }: Connection): object {
  return {
    ...(tls.ca !== undefined && { ca: [...rootCertificates, tls.ca] }),
    rejectUnauthorized: tls.insecure !== true,
  }
}

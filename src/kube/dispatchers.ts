import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { Connection, Credentials } from './connect/connection.ts'

/** The connection pools of one transport. */
export interface Dispatchers {
  /** For requests: a bounded number of keep-alive connections. */
  request(credentials: Credentials): Dispatcher
  /** For watches and followed logs, which hold a connection each and must not starve requests. */
  stream(credentials: Credentials): Dispatcher
  close(): Promise<void>
}

/** Pools for a connection; a changed client certificate (exec credentials rotate them) opens new ones. */
export function createDispatchers(connection: Connection, connections: number, connectTimeoutMs: number): Dispatchers {
  const requests = lane(connection, connections, connectTimeoutMs)
  const streams = lane(connection, undefined, connectTimeoutMs)
  return {
    request: (credentials) => requests.get(credentials),
    stream: (credentials) => streams.get(credentials),
    close: async () => {
      await Promise.all([requests.close(), streams.close()])
    },
  }
}

interface Lane {
  get(credentials: Credentials): Dispatcher
  close(): Promise<void>
}

function lane(connection: Connection, connections: number | undefined, connectTimeoutMs: number): Lane {
  let current: { cert: string | undefined; dispatcher: Dispatcher } | undefined
  const retiring = new Set<Promise<void>>()
  return {
    get(credentials) {
      if (current !== undefined && current.cert === credentials.cert) return current.dispatcher
      // What is in flight under the old certificate finishes; the pool then closes by itself.
      if (current !== undefined) {
        const closing = current.dispatcher.close().finally(() => retiring.delete(closing))
        retiring.add(closing)
      }
      const dispatcher = open(connection, credentials, connections, connectTimeoutMs)
      current = { cert: credentials.cert, dispatcher }
      return dispatcher
    },
    async close() {
      await current?.dispatcher.destroy()
      await Promise.all(retiring)
    },
  }
}

function open(
  connection: Connection,
  credentials: Credentials,
  connections: number | undefined,
  timeout: number,
): Dispatcher {
  const { ca, serverName, insecure } = connection.tls
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(credentials.cert !== undefined && { cert: credentials.cert, key: credentials.key }),
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: insecure !== true,
  }
  // Timeouts are the transport's own, so undici's timers stay off. Idle connections outlive the pauses between the stages of a
  // set, and end before the 90 s after which API servers close them.
  const shared = { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 60_000 }
  const pool = { ...shared, connections: connections ?? null }
  const origin = new URL(connection.server).origin
  if (connection.proxyUrl === undefined) {
    return new Pool(origin, { ...pool, connect: { ...tls, timeout, keepAliveInitialDelay: 30_000 } })
  }
  return new ProxyAgent({
    ...pool,
    connections,
    uri: connection.proxyUrl,
    requestTls: { ...tls, timeout },
    connectTimeout: timeout,
  })
}

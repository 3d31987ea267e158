import type { Duplex } from 'node:stream'
import type { Context } from '../../core/index.ts'

/** One request to an API server. */
export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute path below the server's URL, already escaped, for example `/api/v1/namespaces/default/pods`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** A JSON value, or text or bytes that are sent as they are. */
  readonly body?: unknown
  /** Defaults to `application/json` when there is a body. */
  readonly contentType?: string
  /** Defaults to `application/json`. */
  readonly accept?: string
  /** Limit for the whole exchange; defaults to the transport's own. */
  readonly timeoutMs?: number
  /** Largest answer that is read; defaults to the transport's own. */
  readonly maxBytes?: number
  /** Whether to repeat after a lost connection; defaults to what the verb allows (GET, PUT, DELETE, server-side apply). */
  readonly repeatable?: boolean
}

/** The answer to a request that the API server did not refuse. */
export interface KubeResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed JSON body, or text where the server sent something else. */
  readonly body: unknown
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[]
}

/** An open stream: a watch or a log that is followed. */
export interface KubeStream extends AsyncIterable<Uint8Array> {
  close(): void
}

/** A request to leave HTTP behind. */
export interface UpgradeRequest extends KubeRequest {
  /** What to switch to, for example `websocket`. */
  readonly protocol: string
  /** The headers of the protocol's own handshake. */
  readonly headers: Readonly<Record<string, string>>
  /** The `sec-websocket-accept` that the server has to answer with. */
  readonly proof: string
}

/** A connection with bytes in both directions. */
export interface UpgradedConnection {
  readonly socket: Duplex
  /** The `sec-websocket-protocol` that the server chose. */
  readonly subprotocol?: string
}

/** Carries requests to one API server under one identity; a refusal is thrown as LadingError with the Status' facts. */
export interface Transport {
  /** The server's URL without credentials. */
  readonly server: string
  /** Tells identities apart in cache keys; never holds a credential. */
  readonly identity: string
  request(request: KubeRequest, ctx: Context): Promise<KubeResponse>
  stream(request: KubeRequest, ctx: Context): Promise<KubeStream>
  /** Opens a connection with bytes in both directions, as commands in pods need; absent where that is not possible. */
  upgrade?(request: UpgradeRequest, ctx: Context): Promise<UpgradedConnection>
  close(): Promise<void>
}

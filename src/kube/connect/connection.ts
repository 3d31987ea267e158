import type { Context } from '../../core/index.ts'

/** How the API server's certificate is checked. */
export interface TlsSettings {
  /** PEM bundle to trust; the system's authorities when absent. */
  readonly ca?: string
  /** Name to expect in the certificate, and to send as SNI, instead of the URL's host. */
  readonly serverName?: string
  /** Accepts any certificate. */
  readonly insecure?: boolean
}

/** What proves the identity of one request; a new value means new credentials, so keep handing out the same one. */
export interface Credentials {
  /** Lower-case names, for example `authorization` and `impersonate-user`. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Client certificate and key, PEM. */
  readonly cert?: string
  readonly key?: string
}

/** Where an API server is and who asks. */
export interface Connection {
  /** URL without credentials and without trailing slash; may have a base path. */
  readonly server: string
  readonly tls: TlsSettings
  /** An http or https proxy; may carry the proxy's user and password. */
  readonly proxyUrl?: string
  /** Tells identities apart in cache keys; never holds a credential. */
  readonly identity: string
  credentials(ctx: Context): Credentials | Promise<Credentials>
  /** Called after a 401 with what was refused; true when there are other credentials to try now. */
  refresh?(refused: Credentials, ctx: Context): Promise<boolean>
}

/** A connection with fixed credentials: explicit URL and token. */
export function staticConnection(
  server: string,
  credentials: Credentials,
  tls: TlsSettings = {},
  identity = 'static',
): Connection {
  return { server: server.replace(/\/+$/, ''), tls, identity, credentials: () => credentials }
}

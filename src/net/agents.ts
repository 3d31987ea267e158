import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { withLargeReads } from './large-reads.ts'

/** Whom a TLS connection trusts, and what it proves. */
export interface TlsOptions {
  /** Certificate authorities to trust beside the public ones, as PEM. */
  readonly ca?: string | undefined
  /** Trusts `ca` alone, not the public authorities (default: false). */
  readonly caOnly?: boolean | undefined
  /** Accepts any certificate (default: false). */
  readonly insecure?: boolean | undefined
  /** Client certificate, as PEM. */
  readonly cert?: string | undefined
  /** Key of the client certificate, as PEM. */
  readonly key?: string | undefined
}

/** The pooled connections of one kind: direct ones with one address rule, or those through one proxy. */
export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

const pool = { keepAlive: true, maxSockets: 16, scheduling: 'lifo' } as const

/** Direct connections to the addresses that `lookup` gives. */
export function directAgents(tls: TlsOptions, lookup: LookupFunction): Agents {
  return {
    http: withLargeReads(new HttpAgent({ ...pool, lookup })),
    https: withLargeReads(new HttpsAgent({ ...pool, lookup, ...trust(tls) })),
  }
}

/** Connections through a proxy: it forwards plain requests, and opens a tunnel for encrypted ones. */
export function agentsThrough(proxy: URL, tls: TlsOptions, connectTimeoutMs: number): Agents {
  // Which requests go through it is decided already.
  const proxyEnv = { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href }
  // The timeout of opening a tunnel; a request sets its own once it has its connection.
  const shared = { ...pool, timeout: connectTimeoutMs, proxyEnv }
  return { http: new HttpAgent(shared), https: new HttpsAgent({ ...shared, ...trust(tls) }) }
}

/** Closes all connections. */
export function destroyAgents({ http, https }: Agents): void {
  http.destroy()
  https.destroy()
}

function trust({ ca, caOnly, insecure, cert, key }: TlsOptions) {
  const authorities = ca === undefined ? undefined : caOnly === true ? [ca] : [...rootCertificates, ca]
  return { rejectUnauthorized: insecure !== true, ca: authorities, cert, key }
}

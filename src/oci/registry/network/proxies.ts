import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { rootCertificates } from 'node:tls'
import { LadingError, proxyFor } from '../../../core/index.ts'
import type { Agents, NetworkOptions } from './network.ts'

/** A way through a proxy. */
export interface ProxyRoute {
  readonly agents: Agents
  /** The proxy as messages name it, without its user. */
  readonly proxy: string
}

/** The ways through the proxies that an environment names. */
export interface Proxies {
  /** The way to a URL; undefined where it is asked directly. */
  route(url: URL): ProxyRoute | undefined
  close(): void
}

/** Proxies by HTTP_PROXY, HTTPS_PROXY and NO_PROXY: plain requests are passed on by them, encrypted ones go through a tunnel. */
export function openProxies(options: NetworkOptions): Proxies {
  const { env = process.env } = options
  const routes = new Map<string, ProxyRoute>()
  return {
    route(url) {
      const proxy = proxyFor(url, env)
      if (proxy === undefined) return undefined
      const route = routes.get(proxy.href) ?? { agents: agentsThrough(proxy, options), proxy: proxy.host }
      routes.set(proxy.href, route)
      return route
    },
    close() {
      for (const { agents } of routes.values()) {
        agents.http.destroy()
        agents.https.destroy()
      }
    },
  }
}

/** The error for a proxy that opens no tunnel; undefined where something else went wrong. */
export function tunnelError(error: unknown, host: string, proxy: string): LadingError | undefined {
  const { code, statusCode: status } = error as { code?: unknown; statusCode?: unknown }
  if (code !== 'ERR_PROXY_TUNNEL' || typeof status !== 'number') return undefined
  const message = `the proxy ${proxy} does not connect to ${host}: it answered ${status}`
  return new LadingError(status === 407 ? 'oci.denied' : 'oci.unreachable', message, { registry: host, proxy, status })
}

function agentsThrough(proxy: URL, { ca, insecure, connectTimeoutMs = 15_000 }: NetworkOptions): Agents {
  // Which requests go through it is decided already.
  const proxyEnv = { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href }
  // The time that a tunnel may take; a request sets its own once it has its connection.
  const shared = { keepAlive: true, maxSockets: 16, scheduling: 'lifo', timeout: connectTimeoutMs, proxyEnv } as const
  const trust = { rejectUnauthorized: insecure !== true, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) }
  return { http: new HttpAgent(shared), https: new HttpsAgent({ ...shared, ...trust }) }
}

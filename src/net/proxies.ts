import { type Agents, agentsThrough, destroyAgents, type TlsOptions } from './agents.ts'
import { type Env, proxyFor } from './proxy-for.ts'

/** The connections through one proxy. */
export interface ProxyRoute {
  readonly agents: Agents
  /** The proxy as messages name it, without its user. */
  readonly proxy: string
}

/** The proxies that an environment names. */
export interface Proxies {
  /** The route to a URL; undefined if the URL is requested directly. */
  route(url: URL): ProxyRoute | undefined
  close(): void
}

/** Opens the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; each connects when it is first needed. */
export function openProxies(env: Env, tls: TlsOptions, connectTimeoutMs: number): Proxies {
  const routes = new Map<string, ProxyRoute>()
  return {
    route(url) {
      const proxy = proxyFor(url, env)
      if (proxy === undefined) return undefined
      const known = routes.get(proxy.href)
      const route = known ?? { agents: agentsThrough(proxy, tls, connectTimeoutMs), proxy: proxy.host }
      routes.set(proxy.href, route)
      return route
    },
    close() {
      for (const { agents } of routes.values()) destroyAgents(agents)
    },
  }
}

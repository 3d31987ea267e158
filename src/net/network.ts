import { type Agents, destroyAgents, directAgents, type TlsOptions } from './agents.ts'
import { exchange, type WireAnswer, type WireRequest } from './exchange.ts'
import { type Explain, netError } from './failure.ts'
import { type Addresses, openHostGuard, type Reach, type ResolveName } from './host-guard.ts'
import { openProxies } from './proxies.ts'
import type { Env } from './proxy-for.ts'

/** The connections of a client. */
export interface Network {
  /** Sends one request, unless `reach` forbids the address that its host resolves to; follows no redirect. */
  send(request: WireRequest, reach: Reach, signal: AbortSignal): Promise<WireAnswer>
  /** Whether a host is on a private network. */
  isPrivate(hostname: string): Promise<boolean>
  close(): Promise<void>
}

/** How a client connects. */
export interface NetworkOptions extends TlsOptions {
  /** Limit for connecting (default: 15 s). */
  readonly connectTimeoutMs?: number | undefined
  /** Limit for the silence of a server (default: 120 s). */
  readonly timeoutMs?: number | undefined
  /** The environment whose HTTP_PROXY, HTTPS_PROXY and NO_PROXY are followed (default: that of this process). */
  readonly env?: Env | undefined
  /** Resolves names (default: the system's resolver). */
  readonly resolve?: ResolveName | undefined
  /** Sends requests instead of Node's own client, to the addresses that were checked, without a proxy; for tests. */
  readonly dial?: Dial | undefined
}

/** Sends a request to one of the addresses that were resolved and checked. */
export type Dial = (request: WireRequest, addresses: Addresses, signal: AbortSignal) => Promise<WireAnswer>

/**
 * Opens connections over Node's own client, keep-alive HTTP/1.1: its parser is native, which for a few large bodies costs two thirds
 * of what undici does, and a command that does nothing else starts sooner.
 */
export function createNetwork(options: NetworkOptions, explain: Explain): Network {
  const { connectTimeoutMs = 15_000, timeoutMs = 120_000, env = process.env, dial } = options
  const guard = openHostGuard(options.resolve)
  const proxies = openProxies(env, options, connectTimeoutMs)
  const direct = new Map<Reach, Agents>()
  const agentsFor = (reach: Reach): Agents => {
    const agents = direct.get(reach) ?? directAgents(options, guard.lookup(reach))
    direct.set(reach, agents)
    return agents
  }
  return {
    async send(request, reach, signal) {
      const { url } = request
      const route = dial === undefined ? proxies.route(url) : undefined
      // Literal addresses are not looked up, and a proxy looks names up itself: only this check sees them.
      if (await guard.isForbidden(url.hostname, reach)) throw explain({ kind: 'forbidden', url })
      try {
        if (dial !== undefined) return await dial(request, await guard.addresses(url.hostname), signal)
        return await exchange(request, route?.agents ?? agentsFor(reach), { connectTimeoutMs, timeoutMs }, signal)
      } catch (error) {
        throw netError(error, { url, proxy: route?.proxy }, signal, explain)
      }
    },
    isPrivate: guard.isPrivate,
    async close() {
      for (const agents of direct.values()) destroyAgents(agents)
      proxies.close()
    },
  }
}

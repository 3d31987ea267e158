import { createHash } from 'node:crypto'
import { type Context, context, LadingError, stringifyJson } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { createDiscovery } from '../discovery/discovery.ts'
import { createDispatchers } from '../transport/dispatchers.ts'
import { createSharedTransport, type TransportOptions } from '../transport/undici-transport.ts'
import type { Connected } from './connect.ts'
import { clusterVerbs } from './cluster-verbs.ts'
import type { Connection, Credentials } from './connection.ts'
import { bearer } from './header-value.ts'
import { type Impersonation, impersonationHeaders } from './impersonation.ts'
import { type ConnectionOptions, resolveConnection } from './resolve-connection.ts'

/** Somebody on whose behalf requests are sent: impersonated by the base identity, or with a token of their own. */
export type Caller = { readonly impersonate: Impersonation } | { readonly token: string }

/** One API server for many identities, over connections that all of them share. */
export interface CallerConnections extends AsyncDisposable {
  /** The identity that the connection itself has. */
  readonly base: Connected
  /** The cluster as this caller sees it. The API server decides what the caller may do. */
  as(caller: Caller): Cluster
  close(): Promise<void>
}

/** Connects once for many callers; nothing is sent before the first request. */
export async function connectCallers(
  options: ConnectionOptions & { readonly transport?: TransportOptions } = {},
  ctx: Context = context(),
): Promise<CallerConnections> {
  const { connection, namespace } = await resolveConnection(options)
  const { connections = 32, connectTimeoutMs = 10_000 } = options.transport ?? {}
  const pools = createDispatchers(connection, connections, connectTimeoutMs)
  // A client certificate would win over a caller's token, so callers with tokens have connections without one.
  const tokenPools = createDispatchers(connection, connections, connectTimeoutMs)
  const transport = createSharedTransport(connection, options.transport ?? {}, pools)
  const discovery = createDiscovery(transport)
  const close = async (): Promise<void> => {
    await Promise.all([pools.close(), tokenPools.close()])
  }
  const verbs = clusterVerbs({ transport, discovery }, ctx)
  const as = (caller: Caller): Cluster => {
    const [own, shared] =
      'token' in caller
        ? [byToken(connection, caller.token), tokenPools]
        : [acting(connection, caller.impersonate), pools]
    return { transport: createSharedTransport(own, options.transport ?? {}, shared), discovery }
  }
  const base = { transport, discovery, namespace, ...verbs, close, [Symbol.asyncDispose]: close }
  return { base, as, close, [Symbol.asyncDispose]: close }
}

function byToken({ server, tls, proxyUrl }: Connection, token: string): Connection {
  const credentials = { headers: { authorization: bearer(token, invalidCaller) } }
  return { server, tls, proxyUrl, identity: identityOf(token), credentials: () => credentials }
}

/** The base identity's credentials with the caller's name; the same value as long as those stay the same. */
function acting(base: Connection, who: Impersonation): Connection {
  if (who.user === undefined || who.user === '')
    throw invalidCaller('a caller without a user name cannot be impersonated')
  const headers = impersonationHeaders(who, invalidCaller)
  let known: { readonly of: Credentials; readonly credentials: Credentials } | undefined
  const merged = (of: Credentials): Credentials => {
    if (known?.of !== of) known = { of, credentials: { ...of, headers: { ...of.headers, ...headers } } }
    return known.credentials
  }
  return {
    ...base,
    identity: identityOf(stringifyJson(headers)),
    credentials(ctx) {
      const own = base.credentials(ctx)
      return own instanceof Promise ? own.then(merged) : merged(own)
    },
    refresh: async (_refused, ctx) => {
      if (base.refresh === undefined) return false
      const of = known?.of ?? (await base.credentials(ctx))
      return await base.refresh(of, ctx)
    },
  }
}

function identityOf(text: string): string {
  return `caller-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

function invalidCaller(problem: string): LadingError {
  return new LadingError('auth.failed', `the caller's identity cannot be used: ${problem}`)
}

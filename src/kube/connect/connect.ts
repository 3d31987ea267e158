import { type Context, context } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { createDiscovery } from '../discovery/discovery.ts'
import { type ClusterVerbs, clusterVerbs } from './cluster-verbs.ts'
import { createTransport, type TransportOptions } from '../transport/undici-transport.ts'
import { type ConnectionOptions, resolveConnection } from './resolve-connection.ts'

/** Which cluster to connect to, as whom, and within which limits. */
export interface ConnectOptions extends ConnectionOptions {
  /** Directory for what discovery remembers between runs. */
  readonly discoveryCacheDir?: string
  readonly transport?: TransportOptions
}

/** A cluster with its verbs and the namespace that the user works in; `await using` closes it. */
export interface Connected extends Cluster, ClusterVerbs, AsyncDisposable {
  readonly namespace: string
  close(): Promise<void>
}

/** Connects as kubectl would; nothing is sent before the first request. */
export async function connect(options: ConnectOptions = {}, ctx: Context = context()): Promise<Connected> {
  const { connection, namespace } = await resolveConnection(options)
  const { server, tls } = connection
  ctx.log.debug('connecting', { server, namespace, certificate: tls.insecure === true ? 'not verified' : undefined })
  const transport = createTransport(connection, options.transport)
  const discovery = createDiscovery(transport, { cacheDir: options.discoveryCacheDir })
  const close = (): Promise<void> => transport.close()
  const verbs = clusterVerbs({ transport, discovery }, ctx)
  return { transport, discovery, namespace, ...verbs, close, [Symbol.asyncDispose]: close }
}

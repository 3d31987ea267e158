import type { Context } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { createDiscovery } from '../discovery/discovery.ts'
import { createTransport, type TransportOptions } from '../transport/undici-transport.ts'
import { type ConnectionOptions, resolveConnection } from './resolve-connection.ts'

/** Which cluster to connect to, as whom, and within which limits. */
export interface ConnectOptions extends ConnectionOptions {
  /** Directory for what discovery remembers between runs. */
  readonly discoveryCacheDir?: string
  readonly transport?: TransportOptions
}

/** A cluster with the namespace that the user works in. */
export interface Connected extends Cluster {
  readonly namespace: string
  close(): Promise<void>
}

/** Connects as kubectl would; nothing is sent before the first request. */
export async function connect(options: ConnectOptions, ctx: Context): Promise<Connected> {
  const { connection, namespace } = await resolveConnection(options)
  const { server, tls } = connection
  ctx.log.debug('connecting', { server, namespace, ...(tls.insecure === true && { certificate: 'not verified' }) })
  const transport = createTransport(connection, options.transport)
  const { discoveryCacheDir: cacheDir } = options
  const discovery = createDiscovery(transport, cacheDir === undefined ? {} : { cacheDir })
  return { transport, discovery, namespace, close: () => transport.close() }
}

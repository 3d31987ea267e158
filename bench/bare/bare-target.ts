import type { Context } from '../../src/core/index.ts'
import { resolveConnection } from '../../src/kube/connect/resolve-connection.ts'
import type { Connection } from '../../src/kube/index.ts'
import type { BareTarget } from './bare-pool.ts'

/** What a bare pool needs to know of a connection. */
export async function bareTarget(connection: Connection, ctx: Context): Promise<BareTarget> {
  const { headers, cert, key } = await connection.credentials(ctx)
  const { ca, serverName: servername, insecure = false } = connection.tls
  return { server: connection.server, headers, tls: { ca, cert, key, servername, rejectUnauthorized: !insecure } }
}

/** The connection that a kubeconfig's current context names. */
export async function connectionOf(kubeconfig: string): Promise<Connection> {
  return (await resolveConnection({ kubeconfig })).connection
}

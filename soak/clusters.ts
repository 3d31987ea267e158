import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context } from '../src/core/index.ts'
import { resolveConnection } from '../src/kube/connect/resolve-connection.ts'
import { connect, type Connected } from '../src/kube/index.ts'
import { startSandbox } from '../src/sandbox/index.ts'
import { startTestbed } from '../testbed/index.ts'
import type { Upstream } from './proxy.ts'

/** The kinds of clusters that rounds run on. */
export type ClusterKind = 'sandbox' | 'real'

/** A cluster that rounds run on. */
export interface SoakCluster {
  readonly kind: ClusterKind
  /** As an administrator, without anything in between. */
  readonly cluster: Connected
  readonly kubeconfig: string
  readonly upstream: Upstream
  /** What names of this run begin with, so that several can share a cluster. */
  readonly prefix: string
  /** Where processes of Lading keep their compiled code, so that they start fast. */
  readonly cache: string
  close(): Promise<void>
}

/** Opens a cluster: a sandbox of its own, or the API server of a kubeconfig, or one that is started for it. */
export async function openCluster(kind: ClusterKind, kubeconfig?: string): Promise<SoakCluster> {
  const started = await start(kind, kubeconfig)
  const ctx = context()
  const cluster = await connect({ kubeconfig: started.kubeconfig }, ctx)
  const { connection } = await resolveConnection({ kubeconfig: started.kubeconfig })
  const { headers } = await connection.credentials(ctx)
  const authorization = headers['authorization']
  if (typeof authorization !== 'string') throw new Error('the kubeconfig has no token: the proxy needs one')
  const { ca } = connection.tls
  const cache = await mkdtemp(join(tmpdir(), 'lading-soak-cache-'))
  const upstream = { server: connection.server, token: authorization.replace(/^Bearer /, '') }
  return {
    kind,
    cluster,
    kubeconfig: started.kubeconfig,
    upstream: { ...upstream, ...(ca === undefined ? {} : { ca }) },
    prefix: `soak-${randomBytes(3).toString('hex')}`,
    cache,
    async close() {
      await cluster.close()
      await started.stop()
      await rm(cache, { recursive: true, force: true })
    },
  }
}

async function start(
  kind: ClusterKind,
  kubeconfig: string | undefined,
): Promise<{ readonly kubeconfig: string; stop(): Promise<void> }> {
  if (kubeconfig !== undefined) return { kubeconfig, stop: async () => undefined }
  return kind === 'sandbox' ? await startSandbox() : await startTestbed()
}

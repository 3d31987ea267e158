import { writeSync } from 'node:fs'
import type { Cluster, KubeRequest } from '../../kube/index.ts'
import type { Cut } from './dying-cluster.ts'

/** A connection whose process stops itself at its n-th write, as a suspended machine does; it says so on standard output first. */
export function stoppingCluster(cluster: Cluster, n: number, cut: Cut): { cluster: Cluster; writes: () => number } {
  let writes = 0
  const { transport } = cluster
  const stop = (): void => {
    writeSync(1, `${JSON.stringify({ stopped: true })}\n`)
    process.kill(process.pid, 'SIGSTOP')
  }
  return {
    writes: () => writes,
    cluster: {
      discovery: cluster.discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        close: () => transport.close(),
        stream: (request, context) => transport.stream(request, context),
        request: async (request, context) => {
          const last = isCounted(request) && ++writes === n
          if (last && cut === 'before the write') stop()
          const answer = transport.request(request, context)
          if (last && cut === 'after the write') {
            await answer.catch(() => undefined)
            stop()
          }
          return await answer
        },
      },
    },
  }
}

/** Renewals of the lock come whenever their time is, so they do not count. */
function isCounted({ method, path, query }: KubeRequest): boolean {
  const renews = method === 'PUT' && path.includes('/leases/')
  return method !== 'GET' && query?.['dryRun'] === undefined && !renews
}

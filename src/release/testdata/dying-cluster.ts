import { LadingError } from '../../core/index.ts'
import type { Cluster, KubeRequest } from '../../kube/index.ts'

/** How the process ends around its n-th write: after the server has it, or before it gets there. */
export type Cut = 'after the write' | 'before the write'

/** A connection that is cut for good at its n-th write, as if its process had ended there. */
export function dyingCluster(
  cluster: Cluster,
  n: number,
  cut: Cut,
): { cluster: Cluster; died: () => boolean; writes: () => number } {
  let writes = 0
  let dead = false
  const gone = (): LadingError => new LadingError('kube.unreachable', 'the process is gone')
  const { transport } = cluster
  return {
    died: () => dead,
    writes: () => writes,
    cluster: {
      discovery: cluster.discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        close: () => transport.close(),
        stream: (request, context) => (dead ? Promise.reject(gone()) : transport.stream(request, context)),
        request: async (request, context) => {
          if (dead) throw gone()
          const last = isWrite(request) && ++writes === n
          if (last && cut === 'before the write') dead = true
          if (dead) throw gone()
          const answer = transport.request(request, context)
          // Refused or not, it does not arrive any more.
          await answer.catch(() => undefined)
          if (last) dead = true
          if (dead) throw gone()
          return answer
        },
      },
    },
  }
}

function isWrite({ method, query }: KubeRequest): boolean {
  return method !== 'GET' && query?.['dryRun'] === undefined
}

import { context, LadingError } from '../../core/index.ts'
import type { Cluster, KubeRequest } from '../../kube/index.ts'

/** A connection whose process is suspended while one of its writes is on the way: it arrives when the test delivers it. */
export interface LateWrite {
  readonly cluster: Cluster
  /** Whether the write was sent. */
  sent(): boolean
  /** Lets it arrive, as it was sent. */
  deliver(): Promise<void>
}

/** Holds the first write that is meant, and with it the whole process. */
export function lateWrite(cluster: Cluster, isMeant: (request: KubeRequest) => boolean): LateWrite {
  const { transport, discovery } = cluster
  let held: KubeRequest | undefined
  const gone = (): LadingError => new LadingError('kube.unreachable', 'the process is suspended')
  return {
    sent: () => held !== undefined,
    async deliver() {
      if (held !== undefined) await transport.request(held, context())
    },
    cluster: {
      discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        close: () => transport.close(),
        stream: (request, ctx) => (held === undefined ? transport.stream(request, ctx) : Promise.reject(gone())),
        async request(request, ctx) {
          if (held !== undefined) throw gone()
          if (request.method === 'GET' || request.query?.['dryRun'] !== undefined || !isMeant(request)) {
            return await transport.request(request, ctx)
          }
          held = request
          throw gone()
        },
      },
    },
  }
}

import { abortError, type Context } from '../../core/index.ts'
import { type Cluster, type KubeRequest } from '../../kube/index.ts'

/** A cluster whose requests are looked at first: what the function throws is the answer. */
export function interceptedCluster(
  { transport, discovery }: Cluster,
  before: (request: KubeRequest, ctx: Context) => Promise<void> | void,
): Cluster {
  return {
    discovery,
    transport: {
      server: transport.server,
      identity: transport.identity,
      close: () => Promise.resolve(),
      stream: (request, ctx) => transport.stream(request, ctx),
      request: async (request, ctx) => {
        await before(request, ctx)
        return transport.request(request, ctx)
      },
    },
  }
}

/** Waits until somebody aborts, and fails as an interrupted request does. */
export async function untilAborted({ signal }: Context): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  throw abortError(signal.reason)
}

import { type Context, toLadingError } from '../../core/index.ts'
import type { JobStore, LeaseRequest, LeftJob } from './job-store.ts'
import type { JobHandlers } from './run-job.ts'

/** Gives the identity of the cluster that a runner has. */
export type ClusterOf = (ctx: Context) => Promise<string>

/** What a runner takes, and what it leaves to others. */
export interface Abilities {
  able(): Required<Pick<LeaseRequest, 'types' | 'clusters'>>
  /**
   * Looks at the jobs that were left, and tells each kind of them once. `able` if more can be taken now, `unknown` if the
   * runner's own cluster did not answer.
   */
  look(): Promise<'able' | 'told' | 'unknown'>
}

/** Keeps a runner to the jobs that it can do: those of types that it has a handler for, and for its own cluster. */
export function leaveToOthers(
  store: JobStore,
  handlers: JobHandlers,
  clusterOf: ClusterOf | undefined,
  ctx: Context,
): Abilities {
  const types = Object.entries(handlers).flatMap(([type, handler]) => (handler === undefined ? [] : [type]))
  const told = new Set<string>()
  let own: string | undefined
  const able: Abilities['able'] = () => ({ types, clusters: own === undefined ? [] : [own] })
  const tell = (key: string, message: string): void => {
    if (!told.has(key)) ctx.log.warn(message)
    told.add(key)
  }
  /** Says whether it is known now. */
  const identify = async (job: LeftJob): Promise<boolean> => {
    try {
      own = await clusterOf?.(ctx)
      return own !== undefined
    } catch (error) {
      const { message } = toLadingError(error)
      if (!ctx.signal.aborted)
        tell(message, `this runner leaves job ${job.id} alone: its cluster did not answer: ${message}`)
      return false
    }
  }
  return {
    able,
    look: async () => {
      const left = await store.leftByLease(able())
      const forCluster = left.find(({ type, cluster }) => cluster !== undefined && types.includes(type))
      if (forCluster !== undefined && own === undefined && clusterOf !== undefined) {
        return (await identify(forCluster)) ? 'able' : 'unknown'
      }
      for (const job of left) {
        const isKnown = types.includes(job.type)
        tell(isKnown ? `${job.type} ${job.cluster ?? ''}` : job.type, reasonOf(job, isKnown, own))
      }
      return 'told'
    },
  }
}

function reasonOf({ id, type, cluster }: LeftJob, isKnown: boolean, own: string | undefined): string {
  if (!isKnown) return `this runner has no handler for jobs of type ${type}: it leaves job ${id} to others`
  const here = own === undefined ? 'this runner has no cluster' : `this runner has the cluster ${own}`
  return `job ${id} is for the cluster ${cluster}, and ${here}: it is left to others`
}

import { type Context, LadingError } from '../../core/index.ts'
import type { DeploymentAdapter } from '../../deployment/index.ts'
import type { CallerConnections, Cluster } from '../../kube/index.ts'
import { type AccessReviews, createAccessReviews } from '../auth/access-reviews.ts'
import { callerOf, type Principal } from '../auth/principal.ts'

/** One cluster behind the gateway. */
export interface GatewayCluster {
  readonly name: string
  readonly connections: CallerConnections
  /** Reads its caches with the gateway's own identity; `as` makes the view of a caller. */
  readonly adapter: DeploymentAdapter
}

/** What one principal has of one cluster. */
export interface CallerCluster {
  readonly name: string
  readonly cluster: Cluster
  readonly deployments: DeploymentAdapter
  readonly reviews: AccessReviews
}

/** The clusters behind the gateway, as one principal sees them. */
export interface CallerClusters {
  readonly names: readonly string[]
  /** The named cluster, or the first one. Throws `cluster.unknown`. */
  of(name: string | undefined): CallerCluster
}

/** Keeps what was made for a principal, so that pools and decisions are shared between that principal's requests. */
export interface ClusterDirectory {
  forPrincipal(principal: Principal): CallerClusters
}

/** How many principals are remembered; the one that was idle longest is forgotten first. */
const remembered = 1_000

/** The directory over all clusters; the first one is the default. */
export function createDirectory(clusters: readonly GatewayCluster[], ctx: Context): ClusterDirectory {
  const known = new Map<string, Map<string, CallerCluster>>()
  const viewOf = (principal: Principal, entry: GatewayCluster): CallerCluster => {
    const cluster = entry.connections.as(callerOf(principal))
    const reviews = createAccessReviews(cluster, principal, ctx)
    return { name: entry.name, cluster, reviews, deployments: entry.adapter.as({ cluster, may: reviews.may }) }
  }
  return {
    forPrincipal(principal) {
      const views = known.get(principal.key) ?? new Map<string, CallerCluster>()
      known.delete(principal.key)
      known.set(principal.key, views)
      if (known.size > remembered) known.delete(known.keys().next().value ?? '')
      return {
        names: clusters.map(({ name }) => name),
        of(name) {
          const entry = name === undefined ? clusters[0] : clusters.find((one) => one.name === name)
          if (entry === undefined) {
            throw new LadingError('cluster.unknown', `the gateway has no cluster named ${name ?? 'default'}`, { name })
          }
          const view = views.get(entry.name) ?? viewOf(principal, entry)
          views.set(entry.name, view)
          return view
        },
      }
    },
  }
}

import { readFileSync } from 'node:fs'
import { apiVersionOf, type Gvk } from './gvk.ts'

// Kustomize knows the scope of the kinds of Kubernetes 1.21 and of few others; every other kind counts as namespaced.
const clusterScoped = new Map(
  Object.entries(
    // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
    JSON.parse(readFileSync(new URL('../data/cluster-scoped.json', import.meta.url), 'utf8')) as Record<
      string,
      string[]
    >,
  ).map(([apiVersion, kinds]) => [apiVersion, new Set(kinds)]),
)

/** Whether kustomize knows a kind to have no namespace. */
export function isClusterScoped(gvk: Gvk): boolean {
  return clusterScoped.get(apiVersionOf(gvk))?.has(gvk.kind) === true
}

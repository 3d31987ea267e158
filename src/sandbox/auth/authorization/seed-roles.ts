import { isDeepStrictEqual } from 'node:util'
import { isRecord, type KubeObject } from '../../../core/index.ts'
import { type Backend, timestamp } from '../../backend.ts'
import { defaultRoles } from './default-roles.ts'

const clusterRoles = 'rbac.authorization.k8s.io/clusterroles'

/** Stores the default roles and bindings that are not there, and keeps aggregated roles filled; gives the way to stop. */
export function startRoles(backend: Backend): () => void {
  const { store } = backend
  for (const object of defaultRoles()) {
    const collection = `rbac.authorization.k8s.io/${object.kind.toLowerCase()}s`
    if (store.get(collection, '', object.metadata.name) !== undefined) continue
    const created = { uid: backend.uid(), creationTimestamp: timestamp(backend.clock) }
    store.put(collection, { ...object, metadata: { ...object.metadata, ...created } })
  }
  fillAggregated(backend)
  return store.listen((collection) => {
    if (collection === clusterRoles) queueMicrotask(() => fillAggregated(backend))
  })
}

/** Writes into each role with an `aggregationRule` the rules of the roles that it selects. */
function fillAggregated({ store }: Backend): void {
  const roles = store.list(clusterRoles)
  for (const role of roles) {
    const selectors = selectorsOf(role)
    if (selectors === undefined) continue
    const chosen = roles.filter((other) => other !== role && selectors.some((labels) => hasLabels(other, labels)))
    const rules = chosen.flatMap((other) => (Array.isArray(other['rules']) ? (other['rules'] as unknown[]) : []))
    const distinct = rules.filter((rule, at) => rules.findIndex((other) => isDeepStrictEqual(rule, other)) === at)
    // One that feeds another changes it in the next round.
    if (!isDeepStrictEqual(role['rules'] ?? [], distinct)) store.put(clusterRoles, { ...role, rules: distinct })
  }
}

function selectorsOf(role: KubeObject): Record<string, unknown>[] | undefined {
  const rule = role['aggregationRule']
  if (!isRecord(rule) || !Array.isArray(rule['clusterRoleSelectors'])) return undefined
  return rule['clusterRoleSelectors']
    .filter(isRecord)
    .map(({ matchLabels }) => (isRecord(matchLabels) ? matchLabels : {}))
}

function hasLabels(role: KubeObject, labels: Record<string, unknown>): boolean {
  const wanted = Object.entries(labels)
  return wanted.length > 0 && wanted.every(([key, value]) => role.metadata.labels?.[key] === value)
}

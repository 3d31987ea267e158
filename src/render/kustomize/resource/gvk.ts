import { compareText } from '../yaml/value.ts'

/** Group, version and kind; empty parts of a selector match everything. */
export interface Gvk {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Splits an apiVersion at its first slash. */
export function makeGvk(apiVersion: string, kind: string): Gvk {
  const slash = apiVersion.indexOf('/')
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind }
}

/** The apiVersion of group and version. */
export function apiVersionOf(gvk: Gvk): string {
  return gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
}

/** Whether a selector's non-empty parts are those of `gvk`. */
export function isSelectedBy(gvk: Gvk, selector: Gvk): boolean {
  return (
    (selector.group === '' || selector.group === gvk.group) &&
    (selector.version === '' || selector.version === gvk.version) &&
    (selector.kind === '' || selector.kind === gvk.kind)
  )
}

/** Whether all three parts are the same. */
export function sameGvk(a: Gvk, b: Gvk): boolean {
  return a.kind === b.kind && a.group === b.group && a.version === b.version
}

/** How kustomize writes a kind in messages. */
export function formatGvk(gvk: Gvk): string {
  return `${gvk.kind || '[noKind]'}.${gvk.version || '[noVer]'}.${gvk.group || '[noGrp]'}`
}

/** The kinds that kustomize's legacy order puts first, in that order. */
export const kindsFirst: readonly string[] = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
]

/** The kinds that kustomize's legacy order puts last, in that order. */
export const kindsLast: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']

/** The rank of each kind in an order; kinds that it does not name have rank 0. */
export function kindRanks(first: readonly string[], last: readonly string[]): ReadonlyMap<string, number> {
  return new Map([
    ...first.map((kind, index) => [kind, index - first.length] as const),
    ...last.map((kind, index) => [kind, index + 1] as const),
  ])
}

const defaultRanks = kindRanks(kindsFirst, kindsLast)

/** Orders kinds as kustomize orders its field specifications. */
export function compareGvk(a: Gvk, b: Gvk): number {
  const rank = (defaultRanks.get(a.kind) ?? 0) - (defaultRanks.get(b.kind) ?? 0)
  return rank === 0 ? compareText(sortText(a), sortText(b)) : rank
}

/** The text by which kinds of the same rank are ordered. */
export function sortText(gvk: Gvk): string {
  return `${gvk.group || '~G'}_${gvk.version || '~V'}_${gvk.kind || '~K'}`
}

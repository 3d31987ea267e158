import { isRecord, isSecretKind, type KubeObject, type ManagedFieldsEntry, type ObjectMeta } from '../../core/index.ts'
import { matchesPattern } from './conflicts.ts'
import {
  type FieldPath,
  type FieldsV1,
  formatFieldPath,
  isWithin,
  ownedPaths,
  unionFields,
  valueAt,
} from './managed-fields.ts'
import { normalize } from '../read/normalize.ts'

/** Which fields of other managers are a controller's ordinary work: they are neither reported nor removed. */
export interface ForeignIgnores {
  /** Names of field managers; `*` stands for any run of characters. */
  readonly managers: readonly string[]
  /** Names of annotations, whoever wrote them; `*` as in managers. */
  readonly annotations: readonly string[]
}

/** What a cluster's own controllers write into objects, and the notes that kubectl keeps for itself. */
export const usualIgnores: ForeignIgnores = {
  managers: [
    'kube-controller-manager',
    'kube-scheduler',
    'kube-apiserver',
    'kubelet',
    'kube-proxy',
    'clusterrole-aggregation-controller',
    '*cloud-controller-manager',
    'horizontal-pod-autoscaler',
    'cluster-autoscaler',
    'csi-*',
    'cert-manager-cainjector',
    'cainjector',
  ],
  annotations: [
    'kubectl.kubernetes.io/last-applied-configuration',
    'deployment.kubernetes.io/*',
    'deprecated.daemonset.template.generation',
    'autoscaling.alpha.kubernetes.io/*',
    'batch.kubernetes.io/*',
    'pv.kubernetes.io/*',
    'volume.kubernetes.io/*',
    'volume.beta.kubernetes.io/*',
  ],
}

/** Whose fields are looked at, and which of them are left alone. */
export interface ForeignPolicy extends ForeignIgnores {
  /** Objects whose fields belong to nobody in particular. */
  readonly exempts?: (object: KubeObject) => boolean
}

/** What one other manager owns of an object and the desired object does not have. */
export interface ForeignShare {
  readonly entry: ManagedFieldsEntry
  /** The fields of the entry as they are stored. */
  readonly fields: FieldsV1
  readonly paths: readonly FieldPath[]
}

/**
 * The fields of a live object that other managers own and that are not desired, by manager. Left out are subresources (`status`,
 * `scale`), ignored managers and annotations, everything that those own a part of, the status, and finalizers: a finalizer
 * that is taken away skips the work it stands for.
 */
export function foreignShares(
  live: KubeObject,
  desired: KubeObject,
  fieldManager: string,
  policy: ForeignPolicy,
): ForeignShare[] {
  return sharesOf(live.metadata, desired, fieldManager, policy, (path) => valueAt(live, path) !== undefined)
}

/** Whether the metadata of a live object leaves it possible that others added to it; the whole object tells for certain. */
export function mayHaveForeign(
  live: ObjectMeta,
  desired: KubeObject,
  fieldManager: string,
  policy: ForeignPolicy,
): boolean {
  return sharesOf(live, desired, fieldManager, policy, () => true).length > 0
}

function sharesOf(
  { managedFields = [] }: ObjectMeta,
  desired: KubeObject,
  fieldManager: string,
  policy: ForeignPolicy,
  isThere: (path: FieldPath) => boolean,
): ForeignShare[] {
  const entries = managedFields.filter(({ manager }) => manager !== fieldManager)
  const foreign = entries.filter((entry) => isForeign(entry, policy))
  if (foreign.length === 0 || policy.exempts?.(desired) === true) return []
  const wanted = normalize(desired)
  const isLeft = (path: FieldPath): boolean => isLeftAlone(path, policy)
  const all = foreign.map((entry) => {
    const fields = isSecretKind(desired) ? asStored(entry.fieldsV1 ?? {}) : (entry.fieldsV1 ?? {})
    return { entry, fields, paths: ownedPaths(fields) }
  })
  const kept = [
    ...entries.filter((entry) => !foreign.includes(entry)).flatMap((entry) => ownedPaths(entry.fieldsV1 ?? {})),
    ...all.flatMap(({ paths }) => paths.filter(isLeft)),
  ].map(formatFieldPath)
  return all.flatMap(({ entry, fields, paths }) => {
    const sameVersion = entry.apiVersion === desired.apiVersion
    const taken = paths.filter((path) => {
      if (path.length === 0 || isLeft(path) || valueAt(wanted, path) !== undefined) return false
      // Another version of the kind may have its fields elsewhere: then only what stands at the path counts.
      if (!sameVersion && !isThere(path)) return false
      const text = formatFieldPath(path)
      return !kept.some((other) => isWithin(other, text))
    })
    return taken.length === 0 ? [] : [{ entry, fields, paths: taken }]
  })
}

/** Whether somebody wrote to an object in another version of its kind, so that only the whole object tells what a path means. */
export function hasOtherVersions({ metadata }: KubeObject, { apiVersion }: KubeObject): boolean {
  return (metadata.managedFields ?? []).some((entry) => entry.apiVersion !== apiVersion)
}

/** The server records that who applies `stringData` owns that, and stores it as `data`. */
function asStored(fields: FieldsV1): FieldsV1 {
  const { 'f:stringData': texts, ...rest } = fields
  return isRecord(texts) ? unionFields(rest, { 'f:data': texts }) : fields
}

/** Whether a manager's work is left alone. */
export function isIgnored(manager: string, { managers }: ForeignIgnores): boolean {
  return managers.some((pattern) => matchesPattern(manager, pattern))
}

function isForeign({ manager = '', subresource = '', fieldsV1 }: ManagedFieldsEntry, policy: ForeignPolicy): boolean {
  if (subresource !== '' || fieldsV1 === undefined) return false
  return !isIgnored(manager, policy)
}

/** Whether an annotation is left alone, whoever wrote it. */
export function isIgnoredAnnotation(name: string, { annotations }: ForeignIgnores): boolean {
  return annotations.some((pattern) => matchesPattern(name, pattern))
}

function isLeftAlone([first, second, third]: FieldPath, policy: ForeignPolicy): boolean {
  const [top, inner, key] = [first, second, third].map((step) => (step && 'field' in step ? step.field : undefined))
  if (top === 'status') return true
  if (top !== 'metadata') return false
  if (inner === 'finalizers') return true
  return inner === 'annotations' && key !== undefined && isIgnoredAnnotation(key, policy)
}

/** Splits the fields of one manager into those at the paths and all others; a part without any is undefined. */
export function splitFields(
  fields: FieldsV1,
  paths: readonly FieldPath[],
): { readonly taken: FieldsV1 | undefined; readonly left: FieldsV1 | undefined } {
  const texts = new Set(paths.map(formatFieldPath))
  const isTaken = (path: FieldPath): boolean => texts.has(formatFieldPath(path))
  return { taken: pickFields(fields, [], isTaken), left: pickFields(fields, [], (path) => !isTaken(path)) }
}

function pickFields(fields: FieldsV1, at: FieldPath, isWanted: (path: FieldPath) => boolean): FieldsV1 | undefined {
  const picked = Object.entries(fields).flatMap(([name, below]): [string, unknown][] => {
    if (name === '.') return isWanted(at) ? [[name, below]] : []
    const [path] = ownedPaths({ [name]: {} }, at)
    if (path === undefined || !isRecord(below)) return []
    if (Object.keys(below).length === 0) return isWanted(path) ? [[name, below]] : []
    const inner = pickFields(below, path, isWanted)
    return inner === undefined ? [] : [[name, inner]]
  })
  return picked.length === 0 ? undefined : Object.fromEntries(picked)
}

import { isRecord, type KubeObject, type ObjectMeta, type ObjectRef, refOf } from '../../core/index.ts'
import { annotation, annotationName, invalidAnnotation } from '../annotations/annotations.ts'

/**
 * Whose a CustomResourceDefinition is. `managed`: the release's own, applied and removed with it. `shared`: applied where it
 * brings something new, never marked as one release's own and never deleted. `external`: somebody else's, only required.
 */
export type CrdPolicy = 'managed' | 'shared' | 'external'

/** The policy of an object; what is no CRD is the release's own. */
export function crdPolicyOf(object: KubeObject): CrdPolicy {
  return isCrd(refOf(object)) ? readCrdPolicy(object) : 'managed'
}

/** The policy that an object's annotation names, of whatever kind the object is. */
export function readCrdPolicy(object: KubeObject): CrdPolicy {
  const text = annotation(object, 'crd-policy')?.trim() ?? 'managed'
  if (text === 'managed' || text === 'shared' || text === 'external') return text
  throw invalidAnnotation(object, 'crd-policy', `${text} is no policy; the policies are managed, shared, external`)
}

/**
 * CRDs that a source keeps apart from its objects, as charts do in `crds/`: shared unless they say otherwise, and kept by Helm too,
 * which never deletes such CRDs. Whoever removes one release must not remove everybody's objects of that kind.
 */
export function sharedByDefault(crds: readonly KubeObject[]): KubeObject[] {
  return crds.map((crd) => {
    if (annotation(crd, 'crd-policy') !== undefined) return crd
    const annotations = {
      'lading.dev/crd-policy': 'shared',
      'helm.sh/resource-policy': 'keep',
      ...crd.metadata.annotations,
    }
    return { ...crd, metadata: { ...crd.metadata, annotations } }
  })
}

/** Why a shared CRD is left as it is: the live one has versions that would be lost. */
export function richerLive(desired: KubeObject, live: KubeObject | undefined): string | undefined {
  if (live === undefined) return undefined
  const ours = versionsOf(desired)
  const lost = versionsOf(live).filter((version) => !ours.includes(version))
  if (lost.length === 0) return undefined
  return `it is shared, and the one on the cluster has ${lost.join(', ')}, which this one does not`
}

/** Whether an object is a CustomResourceDefinition. */
export function isCrd({ group, kind }: Pick<ObjectRef, 'group' | 'kind'>): boolean {
  return kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io'
}

/** Why a live CRD is never deleted, and never made one release's own unasked: it says that it is shared. */
export function sharedReason(ref: Pick<ObjectRef, 'group' | 'kind'>, metadata: ObjectMeta): string | undefined {
  if (!isCrd(ref)) return undefined
  const live: KubeObject = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata }
  if (annotation(live, 'crd-policy')?.trim() !== 'shared') return undefined
  return `it is shared (${annotationName(live, 'crd-policy')}: shared)`
}

/**
 * Whether a live CRD serves everything that a desired one does: the same versions with the same schemas, perhaps more of them. The
 * server fills in defaults, so only the fields that are desired are compared.
 */
export function servesAll(desired: KubeObject, live: KubeObject): boolean {
  const [ours, theirs] = [desired, live].map((crd) => (isRecord(crd['spec']) ? crd['spec'] : {}))
  const { versions: wanted, ...rest } = ours ?? {}
  const named = new Map(recordsOf(theirs?.['versions']).map((version) => [version['name'], version]))
  return covers(theirs, rest) && recordsOf(wanted).every((version) => covers(named.get(version['name']), version))
}

function recordsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function covers(live: unknown, desired: unknown): boolean {
  if (Array.isArray(desired) && desired.length > 0) {
    const items: readonly unknown[] = Array.isArray(live) ? live : []
    return items.length === desired.length && desired.every((item, at) => covers(items[at], item))
  }
  if (isRecord(desired)) {
    const fields = isRecord(live) ? live : {}
    // `{}` says something in a schema, so it has to be there.
    return isRecord(live) && Object.entries(desired).every(([key, value]) => covers(fields[key], value))
  }
  // The server leaves out what is empty.
  const isEmpty = desired === null || desired === false || desired === 0 || desired === '' || Array.isArray(desired)
  return live === desired || (live === undefined && isEmpty)
}

function versionsOf(crd: KubeObject): string[] {
  const spec = crd['spec']
  const versions: unknown = isRecord(spec) ? spec['versions'] : undefined
  if (!Array.isArray(versions)) return []
  return versions.flatMap((version: unknown) =>
    isRecord(version) && typeof version['name'] === 'string' ? [version['name']] : [],
  )
}

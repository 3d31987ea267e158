import { isRecord, type KubeObject, LadingError, formatRef, refOf } from '../core/index.ts'
import { annotation, annotationName } from './annotations.ts'

/**
 * Whose a CustomResourceDefinition is. `managed`: the release's own, applied and removed with it. `shared`: applied where it
 * brings something new, never marked as one release's own and never deleted. `external`: somebody else's, only required.
 */
export type CrdPolicy = 'managed' | 'shared' | 'external'

/** The policy of an object; what is no CRD is the release's own. */
export function crdPolicyOf(object: KubeObject): CrdPolicy {
  if (!isCrd(object)) return 'managed'
  const text = annotation(object, 'crd-policy')?.trim() ?? 'managed'
  if (text === 'managed' || text === 'shared' || text === 'external') return text
  const ref = refOf(object)
  const field = annotationName(object, 'crd-policy')
  const message = `${formatRef(ref)}: annotation ${field}: ${text} is no policy; the policies are managed, shared, external`
  throw new LadingError('hook.invalid', message, { ref, annotation: field })
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

function isCrd({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/')
}

function versionsOf(crd: KubeObject): string[] {
  const spec = crd['spec']
  const versions: unknown = isRecord(spec) ? spec['versions'] : undefined
  if (!Array.isArray(versions)) return []
  return versions.flatMap((version: unknown) =>
    isRecord(version) && typeof version['name'] === 'string' ? [version['name']] : [],
  )
}

import { type Context, formatApiVersion, isRecord, type KubeObject } from '../core/index.ts'
import { applyObject, type Cluster, deleteObject, getObject } from '../kube/index.ts'
import { invalidRequest } from '../deployment/index.ts'
import { sourceGvk } from './flux-kinds.ts'
import type { Spec } from './source-reference.ts'

/** Where a Kustomization was pinned from: the source that others use too, and the revision of it. */
const pinnedAnnotation = 'lading.dev/pinned-source'

/** A source that is pinned for one deployment. */
export interface PinnedSource {
  readonly source: Spec
  readonly revision: string
}

/** What a Kustomization is pinned to; undefined where it follows its source. */
export function pinnedFrom({ metadata: { annotations = {} } }: KubeObject): PinnedSource | undefined {
  const text = annotations[pinnedAnnotation]
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && isRecord(value['source']) && typeof value['revision'] === 'string') {
      return { source: value['source'], revision: value['revision'] }
    }
  } catch {
    // Somebody else wrote the annotation; it says nothing then.
  }
  return undefined
}

/** The Kustomization as one that deploys a fixed revision of its source, from a source of its own. */
export function asPinned(object: KubeObject, source: Spec, revision: string): KubeObject {
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  const sourceRef = { kind: source['kind'], name: pinnedName(object), namespace: object.metadata.namespace }
  const annotations = {
    ...object.metadata.annotations,
    [pinnedAnnotation]: JSON.stringify({ source: { ...source }, revision }),
  }
  return { ...object, metadata: { ...object.metadata, annotations }, spec: { ...spec, sourceRef } }
}

/** The Kustomization as one that follows its source again. */
export function asFollowing(object: KubeObject): KubeObject {
  const pinned = pinnedFrom(object)
  if (pinned === undefined) return object
  const { [pinnedAnnotation]: _, ...annotations } = object.metadata.annotations ?? {}
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  return { ...object, metadata: { ...object.metadata, annotations }, spec: { ...spec, sourceRef: pinned.source } }
}

/** Makes the source that a pinned Kustomization deploys from: a copy of the shared one at a fixed revision. */
export async function writePinnedSource(
  cluster: Cluster,
  object: KubeObject,
  { dryRun = false }: { readonly dryRun?: boolean },
  ctx: Context,
): Promise<void> {
  const pinned = pinnedFrom(object)
  if (pinned === undefined) return
  const { kind, name, namespace } = pinned.source
  const gvk = sourceGvk(String(kind))
  const shared = await getObject(cluster, { ...gvk, name: String(name), namespace: String(namespace) }, ctx)
  if (shared === undefined) {
    throw invalidRequest(`${String(kind)} ${String(namespace)}/${String(name)} is not there, so it cannot be pinned`)
  }
  const spec = isRecord(shared['spec']) ? shared['spec'] : {}
  if (spec['secretRef'] !== undefined && namespace !== object.metadata.namespace) {
    throw invalidRequest(
      `${String(kind)} ${String(namespace)}/${String(name)} uses a Secret of its own namespace, so it cannot be pinned in ${object.metadata.namespace}`,
    )
  }
  const existing = await getObject(
    cluster,
    { ...gvk, name: pinnedName(object), namespace: object.metadata.namespace ?? '' },
    ctx,
  )
  if (existing !== undefined && !isOwnedBy(existing, object)) {
    throw invalidRequest(
      `${gvk.kind} ${object.metadata.namespace}/${pinnedName(object)} belongs to somebody else, so ${object.metadata.name} cannot be pinned`,
    )
  }
  const owner = ownerOf(object)
  const copy: KubeObject = {
    apiVersion: formatApiVersion(gvk),
    kind: gvk.kind,
    metadata: {
      name: pinnedName(object),
      namespace: object.metadata.namespace ?? '',
      labels: { 'app.kubernetes.io/managed-by': 'lading' },
      ...owner,
    },
    spec: { ...spec, ref: referenceTo(gvk.kind, pinned.revision) },
  }
  await applyObject(cluster, copy, { dryRun, conflicts: 'force' }, ctx)
}

/** Removes the source of a Kustomization that is pinned no longer. */
export async function removePinnedSource(cluster: Cluster, object: KubeObject, ctx: Context): Promise<void> {
  for (const kind of ['GitRepository', 'OCIRepository']) {
    const ref = { ...sourceGvk(kind), name: pinnedName(object), namespace: object.metadata.namespace ?? '' }
    const found = await getObject(cluster, ref, ctx)
    if (found === undefined || !isOwnedBy(found, object)) continue
    await deleteObject(cluster, ref, { uid: found.metadata.uid }, ctx)
  }
}

function isOwnedBy({ metadata }: KubeObject, { metadata: { uid } }: KubeObject): boolean {
  return uid !== undefined && metadata.ownerReferences?.some((owner) => owner.uid === uid) === true
}

function ownerOf({ apiVersion, kind, metadata }: KubeObject): Partial<KubeObject['metadata']> {
  if (metadata.uid === undefined) return {}
  return { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }] }
}

/** The `ref` of a source for a revision as users and Flux write it. */
export function referenceTo(kind: string, revision: string): Spec {
  const digest = /sha256:[0-9a-f]{64}$/.exec(revision)?.[0]
  if (kind === 'OCIRepository') return digest === undefined ? { tag: revision } : { digest }
  const commit = /^(?:.*@sha1:)?([0-9a-f]{40})$/.exec(revision)?.[1]
  if (commit !== undefined) return { commit }
  if (revision.startsWith('refs/')) return { name: revision }
  return /^v?\d/.test(revision) ? { tag: revision } : { branch: revision }
}

function pinnedName({ metadata: { name } }: KubeObject): string {
  return `${name}-pinned`
}

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Context, isLadingError, type KubeObject } from '../core/index.ts'
import { type Cluster, createObject, listObjects, patchObject } from '../kube/index.ts'
import { part } from './describe-deployment.ts'
import { rollbackAnnotation } from './flux-kinds.ts'
import { asFollowing, pinnedFrom } from './pin-source.ts'
import type { Spec } from './source-reference.ts'

/** What was deployed once: a spec, and of a Kustomization the revision of its source. */
export interface SpecRevision {
  readonly revision: number
  readonly spec: Spec
  /** For example `main@sha1:…`; absent until Flux has applied the revision. */
  readonly sourceRevision?: string
  readonly createdAt: string
  readonly description: string
}

/** Revisions are kept as ControllerRevisions, as those of a StatefulSet are; they go with their deployment. */
export const revisionGvk = { group: 'apps', version: 'v1', kind: 'ControllerRevision' }

/** Selects the revisions of all deployments. */
export const revisionSelector = 'app.kubernetes.io/managed-by=lading'

const deploymentLabel = 'lading.dev/deployment'
const sourceAnnotation = 'lading.dev/source-revision'

/** The revisions of a deployment, oldest first; the last one is what it is now, and is stored if it was not yet. */
export async function syncRevisions(
  cluster: Cluster,
  object: KubeObject,
  description: string,
  ctx: Context,
): Promise<readonly SpecRevision[]> {
  for (;;) {
    const stored = await readRevisions(cluster, object, ctx)
    const current = contentOf(object)
    const last = stored.at(-1)
    if (last !== undefined && sameContent(last, current)) {
      if (last.sourceRevision !== undefined || current.sourceRevision === undefined) return stored
      // The content of a revision cannot change, but which revision of the source it became is known only now.
      const metadata = { annotations: { [sourceAnnotation]: current.sourceRevision } }
      const ref = { ...revisionGvk, namespace: object.metadata.namespace, name: nameOf(object, last.revision) }
      await patchObject(cluster, ref, { metadata }, { type: 'merge' }, ctx)
      continue
    }
    const revision = (stored.at(-1)?.revision ?? 0) + 1
    try {
      await createObject(cluster, revisionObject(object, revision, current, description), {}, ctx)
    } catch (error) {
      // Another replica stored the same number: what it stored is read and compared.
      if (!isLadingError(error, 'kube.already-exists')) throw error
    }
  }
}

/** The revisions that are stored, oldest first. */
export async function readRevisions(
  cluster: Cluster,
  object: KubeObject,
  ctx: Context,
): Promise<readonly SpecRevision[]> {
  const { namespace = '' } = object.metadata
  const query = { gvk: revisionGvk, namespace, labelSelector: `${deploymentLabel}=${labelOf(object)}` }
  const { items } = await listObjects(cluster, query, ctx)
  return items
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid) === true)
    .map(readRevision)
    .sort((a, b) => a.revision - b.revision)
}

interface Content {
  readonly spec: Spec
  readonly sourceRevision: string | undefined
}

function contentOf(object: KubeObject): Content {
  const pinned = pinnedFrom(object)
  const { suspend: _, ...spec } = part(asFollowing(object), 'spec')
  if (object.kind !== 'Kustomization') return { spec, sourceRevision: undefined }
  const status = part(object, 'status')
  // What Flux applied belongs to the spec only once Flux has looked at it.
  const isObserved = status['observedGeneration'] === object.metadata.generation
  const applied = isObserved ? status['lastAppliedRevision'] : undefined
  const sourceRevision = typeof applied === 'string' ? applied : pinned?.revision
  return { spec, sourceRevision }
}

function sameContent(stored: SpecRevision, current: Content): boolean {
  const isSource =
    current.sourceRevision === undefined ||
    stored.sourceRevision === undefined ||
    commitOf(stored.sourceRevision) === commitOf(current.sourceRevision)
  return isSource && isDeepStrictEqual(stored.spec, current.spec)
}

/** The commit or digest of a revision: `main@sha1:abc` and `abc` are the same. */
function commitOf(revision: string): string {
  return /(?:sha1:|sha256:)?([0-9a-f]{40,64})$/.exec(revision)?.[1] ?? revision
}

function revisionObject(object: KubeObject, revision: number, content: Content, description: string): KubeObject {
  const { apiVersion, kind, metadata } = object
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: nameOf(object, revision),
      annotations: content.sourceRevision === undefined ? {} : { [sourceAnnotation]: content.sourceRevision },
      namespace: metadata.namespace ?? '',
      labels: { 'app.kubernetes.io/managed-by': 'lading', [deploymentLabel]: labelOf(object) },
      ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }],
    },
    revision,
    data: { spec: content.spec, description },
  }
}

function readRevision(object: KubeObject): SpecRevision {
  const data = part(object, 'data')
  const { description } = data
  return {
    revision: typeof object['revision'] === 'number' ? object['revision'] : 0,
    spec: part(data, 'spec'),
    sourceRevision: object.metadata.annotations?.[sourceAnnotation],
    createdAt: object.metadata.creationTimestamp ?? '',
    description: typeof description === 'string' ? description : '',
  }
}

function nameOf(object: KubeObject, revision: number): string {
  return `lading-${labelOf(object)}-${revision}`
}

/** A label of at most 63 characters, whatever the name. */
function labelOf({ kind, metadata: { name } }: KubeObject): string {
  return createHash('sha256').update(`${kind}/${name}`).digest('hex').slice(0, 40)
}

/** The annotations of a rollback that is under way. */
export function markRollback(object: KubeObject, revision: number): KubeObject {
  const annotations = { ...object.metadata.annotations, [rollbackAnnotation]: String(revision) }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

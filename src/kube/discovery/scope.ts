import {
  type Context,
  formatApiVersion,
  formatRef,
  type GroupVersionKind,
  gvkOf,
  isRecord,
  type KubeObject,
  LadingError,
  objectId,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import { builtinSchema } from '../../schema/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'

/** An object with its namespace decided. */
export interface PlacedObject {
  readonly object: KubeObject
  readonly ref: ObjectRef
  readonly id: string
  /** Whether the cluster serves the kind already; otherwise a CRD of the same set has to bring it first. */
  readonly served: boolean
}

/** A set with every namespace decided; what could not be placed is told, not thrown, so that all of it is known at once. */
export interface PlacedSet {
  readonly placed: readonly PlacedObject[]
  readonly failures: readonly { readonly ref: ObjectRef; readonly error: LadingError }[]
  readonly warnings: readonly { readonly ref: ObjectRef; readonly message: string }[]
}

/**
 * Decides for each object of a set whether it is namespaced, by discovery, then the built-in schema, then the CRDs of the set
 * itself; namespaced objects without a namespace get the default one. A cluster-scoped object never carries one.
 */
export async function placeObjects(
  cluster: Cluster,
  objects: readonly KubeObject[],
  defaultNamespace: string | undefined,
  ctx: Context,
): Promise<PlacedSet> {
  const scopes = await readScopes(cluster, objects, ctx)
  const placed: PlacedObject[] = []
  const failures: { ref: ObjectRef; error: LadingError }[] = []
  const warnings: { ref: ObjectRef; message: string }[] = []
  for (const object of objects) {
    const scope = scopes.get(kindKey(object))
    const at = refOf(object)
    const problem = placingProblem(at, object.metadata, scope, defaultNamespace)
    if (problem !== undefined) {
      failures.push({ ref: at, error: problem })
    } else if (scope?.namespaced === false) {
      if (at.namespace !== undefined) {
        warnings.push({
          ref: at,
          message: `metadata.namespace ${at.namespace} is ignored: ${object.kind} is not namespaced`,
        })
      }
      placed.push(place(withoutNamespace(object), scope.served))
    } else {
      placed.push(place(inNamespace(object, at.namespace ?? defaultNamespace), scope?.served ?? false))
    }
  }
  return { placed, failures, warnings }
}

/** Refuses a set that defines one object twice. */
export function refuseDuplicates(placed: readonly PlacedObject[]): void {
  const seen = new Set<string>()
  const duplicates = new Map<string, ObjectRef>()
  for (const { id, ref } of placed) {
    if (seen.has(id)) duplicates.set(id, ref)
    seen.add(id)
  }
  if (duplicates.size === 0) return
  const refs = [...duplicates.values()]
  throw new LadingError('object.duplicate', `the set defines ${refs.map(formatRef).join(', ')} more than once`, {
    objects: refs,
  })
}

/** The kinds that the CRDs of a set define, by `apiVersion kind`, with the CRD's name. */
export function kindsOfCrds(objects: readonly KubeObject[]): Map<string, { namespaced: boolean; crd: string }> {
  const kinds = new Map<string, { namespaced: boolean; crd: string }>()
  for (const object of objects) {
    if (object.kind !== 'CustomResourceDefinition' || !object.apiVersion.startsWith('apiextensions.k8s.io/')) continue
    const spec = isRecord(object['spec']) ? object['spec'] : {}
    const names = isRecord(spec['names']) ? spec['names'] : {}
    for (const version of Array.isArray(spec['versions']) ? spec['versions'] : []) {
      if (!isRecord(version) || version['served'] === false) continue
      const key = `${String(spec['group'])}/${String(version['name'])} ${String(names['kind'])}`
      kinds.set(key, { namespaced: spec['scope'] === 'Namespaced', crd: object.metadata.name })
    }
  }
  return kinds
}

/** `apiVersion kind`, the key of `kindsOfCrds`. */
export function kindKey(object: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${object.apiVersion} ${object.kind}`
}

interface Scope {
  readonly namespaced: boolean
  readonly served: boolean
}

async function readScopes(
  cluster: Cluster,
  objects: readonly KubeObject[],
  ctx: Context,
): Promise<Map<string, Scope | undefined>> {
  const defined = kindsOfCrds(objects)
  const scopes = new Map<string, Scope | undefined>()
  for (const object of objects) {
    const key = kindKey(object)
    if (!scopes.has(key)) scopes.set(key, await readScope(cluster, gvkOf(object), defined.get(key), ctx))
  }
  return scopes
}

async function readScope(
  cluster: Cluster,
  gvk: GroupVersionKind,
  defined: { namespaced: boolean } | undefined,
  ctx: Context,
): Promise<Scope | undefined> {
  // A kind of the set's own CRDs may well be unknown yet; asking `find` would read discovery again for each.
  const resource = defined === undefined ? await cluster.discovery.find(gvk, ctx) : await findKnown(cluster, gvk, ctx)
  if (resource !== undefined) return { namespaced: resource.namespaced, served: true }
  const builtin = builtinSchema().scope(gvk)
  if (builtin !== undefined) return { namespaced: builtin === 'Namespaced', served: false }
  return defined === undefined ? undefined : { namespaced: defined.namespaced, served: false }
}

async function findKnown(cluster: Cluster, gvk: GroupVersionKind, ctx: Context): Promise<ApiResource | undefined> {
  const { group, version, kind } = gvk
  const resources = await cluster.discovery.all(ctx)
  return resources.find((each) => each.kind === kind && each.group === group && each.version === version)
}

function placingProblem(
  ref: ObjectRef,
  { generateName }: Pick<KubeObject['metadata'], 'generateName'>,
  scope: Scope | undefined,
  defaultNamespace: string | undefined,
): LadingError | undefined {
  const { group, version, kind } = ref
  // Server-side apply addresses objects by name; `generateName` has nothing to address.
  if (typeof ref.name !== 'string' || ref.name === '') {
    const what = typeof generateName === 'string' ? `${kind} with the generateName ${generateName}` : kind
    return new LadingError('object.invalid', `${what} needs metadata.name to be applied`, {
      kind,
      field: 'metadata.name',
    })
  }
  if (scope === undefined) {
    const message = `the cluster does not serve ${formatApiVersion(ref)} ${kind}, and no CRD of the set defines it`
    return new LadingError('kube.unknown-kind', message, { group, version, kind })
  }
  if (scope.namespaced && ref.namespace === undefined && defaultNamespace === undefined) {
    const message = `${formatRef(ref)} needs a namespace`
    return new LadingError('object.invalid', message, { kind, name: ref.name, field: 'metadata.namespace' })
  }
  return undefined
}

function place(object: KubeObject, served: boolean): PlacedObject {
  const ref = refOf(object)
  return { object, ref, id: objectId(ref), served }
}

function inNamespace(object: KubeObject, namespace: string | undefined): KubeObject {
  if (namespace === undefined || object.metadata.namespace === namespace) return object
  return { ...object, metadata: { ...object.metadata, namespace } }
}

function withoutNamespace(object: KubeObject): KubeObject {
  if (object.metadata.namespace === undefined) return object
  const { namespace: _, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, name: object.metadata.name } }
}

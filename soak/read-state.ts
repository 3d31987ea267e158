import { context, type KubeObject } from '../src/core/index.ts'
import { type Cluster, getObject, listObjects } from '../src/kube/index.ts'
import { crdGroup } from './content.ts'

const ctx = context()

const kinds = [
  { group: '', version: 'v1', kind: 'ConfigMap' },
  { group: '', version: 'v1', kind: 'Secret' },
  { group: '', version: 'v1', kind: 'Service' },
  { group: '', version: 'v1', kind: 'ServiceAccount' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  { group: 'batch', version: 'v1', kind: 'Job' },
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
]

/** Every object of a namespace by kind and name, and the CRD that belongs to it with its custom resources. */
export async function readObjects(cluster: Cluster, namespace: string): Promise<Map<string, KubeObject>> {
  const lists = await Promise.all(kinds.map((gvk) => listObjects(cluster, { gvk, namespace }, ctx)))
  const objects = lists.flatMap(({ items }) => items)
  const group = crdGroup(namespace)
  const crdKind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
  const crd = await getObject(cluster, { ...crdKind, name: `shops.${group}` }, ctx)
  if (crd !== undefined) {
    const shops = await listShops(cluster, group, namespace)
    objects.push(crd, ...shops)
  }
  return new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]))
}

async function listShops(cluster: Cluster, group: string, namespace: string): Promise<readonly KubeObject[]> {
  const { transport } = cluster
  const path = `/apis/${group}/v1/namespaces/${namespace}/shops`
  try {
    const { body } = await transport.request({ method: 'GET', path }, ctx)
    const { items } = body as { items: KubeObject[] }
    return items.map((item) => ({ ...item, apiVersion: `${group}/v1`, kind: 'Shop' }))
  } catch {
    // A CRD that is on its way out, or not yet served, has none.
    return []
  }
}

/** What every namespace has by itself. */
const givenNames = new Set(['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default'])

/** The objects that are neither the namespace's own, nor planted, nor records of a release, as comparable text. */
export function comparable(
  objects: ReadonlyMap<string, KubeObject>,
  namespace: string,
  except: ReadonlySet<string>,
): Map<string, string> {
  const entries = [...objects].filter(
    ([id, object]) => !givenNames.has(id) && !except.has(id) && !isBookkeeping(object),
  )
  const neutral = (text: string): string => text.replaceAll(namespace, 'NAMESPACE')
  return new Map(entries.map(([id, object]) => [neutral(id), neutral(normalized(object))]))
}

/** Records of releases, of Lading and of Helm, and what says until it expires that a plan was applied. */
function isBookkeeping({ kind, metadata, type }: KubeObject): boolean {
  const isRecord = String(type).startsWith('helm.sh/release') || isLadingRecord(metadata.labels)
  return isRecord || (kind === 'Lease' && metadata.name.startsWith('lading-plan.'))
}

function isLadingRecord(labels: Readonly<Record<string, string>> = {}): boolean {
  return labels['sherpack.io/release-name'] !== undefined
}

/** The records of the release that are there. */
export function recordsOf(objects: ReadonlyMap<string, KubeObject>, release: string): string[] {
  return [...objects].flatMap(([id, { metadata, type }]) => {
    const labels = metadata.labels ?? {}
    const isHelms = String(type).startsWith('helm.sh/release') && labels['name'] === release
    return isHelms || labels['sherpack.io/release-name'] === release ? [id] : []
  })
}

const changingAnnotations = new Set(['deployment.kubernetes.io/revision'])

/** An object without what differs between two that were made alike. */
function normalized({ metadata, status: _, ...rest }: KubeObject): string {
  const { name, labels, annotations = {}, finalizers, ownerReferences, deletionTimestamp } = metadata
  const kept = Object.entries(annotations).filter(([key]) => !changingAnnotations.has(key))
  const meta = { name, labels, annotations: Object.fromEntries(kept), finalizers, ownerReferences, deletionTimestamp }
  const { clusterIP: __, clusterIPs: ___, ...spec } = (rest['spec'] ?? {}) as Record<string, unknown>
  return JSON.stringify(sorted({ ...rest, metadata: meta, spec }))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]))
}

/** How two sets of objects differ, a sentence each. */
export function differences(
  found: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  { extraAllowed = false } = {},
): string[] {
  const missing = [...wanted.keys()].filter((id) => !found.has(id)).map((id) => `${id} is missing`)
  const changed = [...wanted].flatMap(([id, text]) => {
    const live = found.get(id)
    if (live === undefined || live === text) return []
    return [
      id.startsWith('Secret/') ? `${id} is not as wanted` : `${id} is not as wanted: ${firstDifference(live, text)}`,
    ]
  })
  const extra = extraAllowed ? [] : [...found.keys()].filter((id) => !wanted.has(id)).map((id) => `${id} is left over`)
  return [...missing, ...changed, ...extra]
}

function firstDifference(live: string, wanted: string): string {
  let at = 0
  while (at < live.length && live[at] === wanted[at]) at += 1
  const from = Math.max(0, at - 30)
  return `…${live.slice(from, at + 50)}… instead of …${wanted.slice(from, at + 50)}…`
}

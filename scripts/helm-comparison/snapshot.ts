import { setTimeout } from 'node:timers/promises'
import { type Context, formatRef, isLadingError, type KubeObject, refOf } from '../../src/core/index.ts'
import { type Cluster, deleteObject, listObjects, patchObject } from '../../src/kube/index.ts'
import { comparable, isOurs, normal, storedRelease } from '../../src/release/testdata/compare-installs.ts'

/** The objects that were there before. */
export type Baseline = ReadonlySet<string>

/** What is on the cluster after a step. */
export interface Snapshot {
  readonly step: string
  readonly failed: boolean
  readonly objects: Readonly<Record<string, unknown>>
  readonly records: Readonly<Record<string, unknown>>
}

/** Remembers what is on the cluster. */
export async function takeBaseline(cluster: Cluster, ctx: Context): Promise<Baseline> {
  return new Set((await everything(cluster, ctx)).map((object) => formatRef(refOf(object))))
}

/** What has come since the baseline, without what controllers made and what the cluster assigns. */
export async function takeSnapshot(
  cluster: Cluster,
  baseline: Baseline,
  namespace: string,
  step: Pick<Snapshot, 'step' | 'failed'>,
  ctx: Context,
): Promise<Snapshot> {
  const found = (await everything(cluster, ctx)).filter((object) => !baseline.has(formatRef(refOf(object))))
  // Helm does not wait until what it deletes is gone.
  const staying = found.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const shown = staying.filter((object) => isOurs(object) && !isOfController(object, namespace))
  const records = found.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.startsWith('sh.helm.'))
  return {
    ...step,
    objects: Object.fromEntries(shown.map((object) => [formatRef(refOf(object)), settled(object, namespace)])),
    records: Object.fromEntries(records.map((secret) => [secret.metadata.name, storedRelease(secret, namespace)])),
  }
}

/** Removes everything that has come since the baseline, what answers for other objects first. */
export async function clearCluster(
  cluster: Cluster,
  baseline: Baseline,
  namespace: string,
  ctx: Context,
): Promise<void> {
  const first = /WebhookConfiguration|APIService|AdmissionPolicy/
  for (let round = 0; round < 60; round += 1) {
    cluster.discovery.invalidate()
    const all = await everything(cluster, ctx)
    const left = all.filter((object) => !baseline.has(formatRef(refOf(object))))
    if (left.length === 0) return
    const rank = ({ kind }: KubeObject): number => (first.test(kind) ? 0 : kind === 'Namespace' ? 2 : 1)
    for (const object of left.toSorted((a, b) => rank(a) - rank(b))) {
      if (object.metadata.namespace === namespace && round > 0 && object.metadata.finalizers === undefined) continue
      await remove(cluster, object, ctx)
    }
    await setTimeout(500)
  }
  throw new Error('the cluster did not become what it was')
}

async function remove(cluster: Cluster, object: KubeObject, ctx: Context): Promise<void> {
  const ref = refOf(object)
  try {
    if ((object.metadata.finalizers ?? []).length > 0 && object.kind !== 'Namespace')
      await patchObject(cluster, ref, { metadata: { finalizers: null } }, { type: 'merge' }, ctx)
    await deleteObject(cluster, ref, { keep: 'ignore', wait: false }, ctx)
  } catch (error) {
    if (!isLadingError(error)) throw error
  }
}

async function everything(cluster: Cluster, ctx: Context): Promise<KubeObject[]> {
  const resources = (await cluster.discovery.all(ctx)).filter(
    ({ verbs, kind }) => verbs.includes('list') && verbs.includes('delete') && !unstable.has(kind),
  )
  const seen = new Set<string>()
  const wanted = resources.filter(({ group, kind }) => {
    const key = `${group}/${kind}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  const lists = await Promise.all(
    wanted.map(async (gvk) => {
      try {
        return (await listObjects(cluster, { gvk }, ctx)).items
      } catch (error) {
        if (isLadingError(error)) return []
        throw error
      }
    }),
  )
  return lists.flat()
}

/** Kinds that come and go by themselves. */
const unstable = new Set([
  'Event',
  'Lease',
  'Endpoints',
  'EndpointSlice',
  'ControllerRevision',
  'Pod',
  'ReplicaSet',
  'PersistentVolume',
  'CSINode',
  'Node',
  'IPAddress',
])

function isOfController({ kind, metadata }: KubeObject, namespace: string): boolean {
  if (kind === 'ServiceAccount' && metadata.name === 'default') return true
  if (metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined) return true
  if (kind === 'Namespace') return metadata.name === namespace
  // Claims of a StatefulSet's template stay, whoever removes it.
  return kind === 'PersistentVolumeClaim' && metadata.annotations?.['meta.helm.sh/release-name'] === undefined
}

/** The object without what is assigned to it, also inside of Services and claims. */
function settled(object: KubeObject, namespace: string): unknown {
  const { kind, metadata } = object
  // Of a chart's crds/ folder: Helm never upgrades those, Lading does.
  if (kind === 'CustomResourceDefinition' && metadata.annotations?.['meta.helm.sh/release-name'] === undefined)
    return { kind, name: metadata.name }
  const shown = normal(comparable(object), namespace)
  const dropped = /^(?:nodePort|volumeName|caBundle|healthCheckNodePort|resourceVersion)$/
  const notes = /^(?:volume\.|pv\.kubernetes\.io|batch\.kubernetes\.io|autoscaling\.alpha)/
  const keep = (key: string, value: unknown): unknown => (dropped.test(key) || notes.test(key) ? undefined : value)
  return JSON.parse(JSON.stringify(shown, keep))
}

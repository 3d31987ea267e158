import { type Context, gvkOf, isRecord, type KubeObject } from '../../core/index.ts'
import { computeStatus, type ObjectStatus } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { getObject } from '../read/get.ts'
import { expectedStatuses } from './expected-status.ts'

/** Reads the status of a live object that has been without one for `silentMs`. */
export type StatusReader = (object: KubeObject, silentMs: number) => Promise<ObjectStatus>

/**
 * The one reading of objects that no rule of the caller speaks about, for waits and for a look at how they are doing: `computeStatus`
 * with what an object does not say itself, from its CRD or its StorageClass. A first status that the CRD promises is waited for as long as
 * `statusGraceMs`; then the object counts as ready.
 */
export function statusReader(cluster: Cluster, statusGraceMs: number, ctx: Context): StatusReader {
  const isPromised = expectedStatuses(cluster, ctx)

  return async (object, silentMs) => {
    const gvk = gvkOf(object)
    const status = computeStatus(object, { expectsStatus: true, silentMs, statusGraceMs })
    if (status.reason === 'NoStatus' && !(await isPromised(gvk))) return computeStatus(object)
    const claim = gvk.kind === 'PersistentVolumeClaim' && gvk.group === '' && status.reason === 'NotBound'
    return claim && (await waitsForConsumer(cluster, object, ctx)) ? unconsumed : status
  }
}

const unconsumed: ObjectStatus = { status: 'Current', message: 'claim will be bound for its first consumer' }

/** A claim of such a class is bound only when a pod uses it; a pod that is waited for waits for the volume anyway. */
async function waitsForConsumer(cluster: Cluster, claim: KubeObject, ctx: Context): Promise<boolean> {
  const spec = isRecord(claim['spec']) ? claim['spec'] : {}
  const name = spec['storageClassName']
  if (typeof name !== 'string' || name === '' || spec['volumeName'] !== undefined) return false
  if (claim.metadata.annotations?.['volume.kubernetes.io/selected-node'] !== undefined) return false
  const ref = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass', name }
  const storageClass = await getObject(cluster, ref, ctx)
  return storageClass?.['volumeBindingMode'] === 'WaitForFirstConsumer'
}

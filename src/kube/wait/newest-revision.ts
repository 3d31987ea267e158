import { type Context, gvkOf, isLadingError, isRecord, type KubeObject, type OwnerReference } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { getMetadata } from '../read/get.ts'
import { listObjects } from '../read/list.ts'

/** Tells whether a pod belongs to a workload's newest revision; pods on their way out must not fail a wait. */
export type RevisionCheck = (workload: KubeObject, pod: KubeObject) => Promise<boolean>

const revisionAnnotation = 'deployment.kubernetes.io/revision'
const revisionLabel = 'controller-revision-hash'

/** A check that asks the cluster for what the two objects do not say themselves, once for each state of the workload. */
export function revisionCheck(cluster: Cluster, ctx: Context): RevisionCheck {
  const answers = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (answers.get(key) as Promise<T> | undefined) ?? ask()
    answers.set(key, answer)
    return answer
  }
  return async (workload, pod) => {
    const owner = controllerOf(pod)
    if (owner === undefined) return false
    const { uid, resourceVersion } = workload.metadata
    switch (workload.kind) {
      case 'Deployment': {
        if (owner.kind !== 'ReplicaSet') return false
        const key = `${owner.uid} ${resourceVersion}`
        const set = await once(key, () => readReplicaSet(cluster, owner, pod.metadata.namespace, ctx))
        return controllerOf(set)?.uid === uid && revisionOf(set) === revisionOf(workload)
      }
      case 'StatefulSet': {
        const status = workload['status']
        const newest = isRecord(status) ? status['updateRevision'] : undefined
        return owner.uid === uid && pod.metadata.labels?.[revisionLabel] === newest
      }
      case 'DaemonSet': {
        if (owner.uid !== uid) return false
        const newest = await once(`${uid} ${resourceVersion}`, () => newestDaemonRevision(cluster, workload, ctx))
        return pod.metadata.labels?.[revisionLabel] === newest
      }
      default:
        return owner.uid === uid
    }
  }
}

/** The owner that made an object. */
export function controllerOf(object: KubeObject | undefined): OwnerReference | undefined {
  return object?.metadata.ownerReferences?.find((owner) => owner.controller === true)
}

function revisionOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.[revisionAnnotation]
}

async function readReplicaSet(
  cluster: Cluster,
  owner: OwnerReference,
  namespace: string | undefined,
  ctx: Context,
): Promise<KubeObject | undefined> {
  const ref = { ...gvkOf(owner), name: owner.name, namespace }
  const set = await orNothing(getMetadata(cluster, ref, ctx), ctx)
  return set?.metadata.uid === owner.uid ? set : undefined
}

/** A DaemonSet does not name its newest revision; the highest number among those it owns is it. */
async function newestDaemonRevision(cluster: Cluster, set: KubeObject, ctx: Context): Promise<string | undefined> {
  const gvk = { group: 'apps', version: 'v1', kind: 'ControllerRevision' }
  const { namespace, uid } = set.metadata
  const list = await orNothing(listObjects(cluster, { gvk, namespace }, ctx), ctx)
  const owned = (list?.items ?? []).filter((revision) => controllerOf(revision)?.uid === uid)
  const newest = owned.sort((a, b) => Number(b['revision']) - Number(a['revision']))[0]
  return newest?.metadata.labels?.[revisionLabel]
}

/** Without the right to look, a pod's revision is unknown, and the wait goes by the workload's own status alone. */
async function orNothing<T>(answer: Promise<T>, ctx: Context): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden')) throw error
    ctx.log.debug('revisions of pods are hidden', { code: error.code })
    return undefined
  }
}

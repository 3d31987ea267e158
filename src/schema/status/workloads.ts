import type { KubeObject } from '../../core/index.ts'
import { current, failed, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, countAt, explain, integerAt, textAt, valueAt } from './read-fields.ts'

// The deployment controller reads the largest int32 as "no deadline" and then never writes a Progressing condition.
const noDeadline = 2_147_483_647

/** A Deployment: rolled out, available, and no old pod left. */
export function deploymentStatus(object: KubeObject): ObjectStatus {
  const progressing = conditionOf(object, 'Progressing')
  if (progressing?.reason === 'ProgressDeadlineExceeded') return failed(progressing.reason, explain(progressing))
  // A paused Deployment never rolls out; whoever paused it does not want to wait for that.
  if (valueAt(object, 'spec', 'paused') === true) return current('Deployment is paused')

  const wanted = wantedReplicas(object)
  const total = countAt(object, 'status', 'replicas')
  const updated = countAt(object, 'status', 'updatedReplicas')
  const behind =
    fewer('LessReplicas', 'created', total, wanted) ??
    fewer('LessUpdated', 'updated', updated, wanted) ??
    fewer('LessAvailable', 'available', countAt(object, 'status', 'availableReplicas'), updated) ??
    surplus(total, wanted) ??
    fewer('LessReady', 'ready', countAt(object, 'status', 'readyReplicas'), wanted)
  if (behind !== undefined) return withReplicaFailure(object, behind)

  const deadline = integerAt(object, 'spec', 'progressDeadlineSeconds') ?? noDeadline
  const rolledOut = progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable'
  if (deadline !== noDeadline && !rolledOut) {
    return inProgress('ReplicaSetNotAvailable', 'the new ReplicaSet is not available yet')
  }
  if (conditionOf(object, 'Available')?.status !== 'True') {
    return inProgress('DeploymentNotAvailable', 'Deployment is not available yet')
  }
  return current(`Deployment is available with ${replicas(total)}`)
}

/** A quota or a webhook that refuses pods is no failure, as the controller goes on trying, but it is the reason to tell. */
function withReplicaFailure(object: KubeObject, behind: ObjectStatus): ObjectStatus {
  const failure = conditionOf(object, 'ReplicaFailure')
  return failure?.status === 'True' ? { ...behind, message: `${behind.message}: ${explain(failure)}` } : behind
}

/** A ReplicaSet or ReplicationController: all replicas labelled, ready and available. */
export function replicaSetStatus(object: KubeObject): ObjectStatus {
  const failure = conditionOf(object, 'ReplicaFailure')
  // The controller goes on trying, for example until a quota allows the pod.
  if (failure?.status === 'True') return inProgress('ReplicaFailure', explain(failure))
  const wanted = wantedReplicas(object)
  const total = countAt(object, 'status', 'replicas')
  return (
    notObserved(object) ??
    fewer('LessLabelled', 'labelled', countAt(object, 'status', 'fullyLabeledReplicas'), wanted) ??
    fewer('LessAvailable', 'available', countAt(object, 'status', 'availableReplicas'), wanted) ??
    fewer('LessReady', 'ready', countAt(object, 'status', 'readyReplicas'), wanted) ??
    surplus(total, wanted) ??
    current(`${object.kind} is available with ${replicas(total)}`)
  )
}

/** A StatefulSet: all pods ready and, unless somebody else updates them, of the new revision down to the partition. */
export function statefulSetStatus(object: KubeObject): ObjectStatus {
  const wanted = wantedReplicas(object)
  const total = countAt(object, 'status', 'replicas')
  const behind =
    notObserved(object) ??
    fewer('LessReplicas', 'created', total, wanted) ??
    fewer('LessReady', 'ready', countAt(object, 'status', 'readyReplicas'), wanted) ??
    surplus(total, wanted)
  if (behind !== undefined) return behind
  if (countAt(object, 'spec', 'minReadySeconds') > 0) {
    const late = fewer('LessAvailable', 'available', countAt(object, 'status', 'availableReplicas'), wanted)
    if (late !== undefined) return late
  }
  // With OnDelete the user decides when a pod takes the new revision; only its presence can be waited for.
  if (textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete') {
    return current(`StatefulSet has ${replicas(total)}, updated on delete`)
  }
  return revisionStatus(object, wanted) ?? current(`StatefulSet is rolled out with ${replicas(total)}`)
}

/** A DaemonSet: a ready, available pod of the newest template on every node that wants one. */
export function daemonSetStatus(object: KubeObject): ObjectStatus {
  const wanted = integerAt(object, 'status', 'desiredNumberScheduled')
  const unseen = notObserved(object)
  if (unseen !== undefined) return unseen
  if (wanted === undefined) return inProgress('NoDesiredNumber', 'its controller has not counted the nodes yet')
  const onDelete = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete'
  const updated = onDelete ? wanted : countAt(object, 'status', 'updatedNumberScheduled')
  return (
    fewer('LessCurrent', 'scheduled', countAt(object, 'status', 'currentNumberScheduled'), wanted) ??
    fewer('LessUpdated', 'updated', updated, wanted) ??
    fewer('LessAvailable', 'available', countAt(object, 'status', 'numberAvailable'), wanted) ??
    fewer('LessReady', 'ready', countAt(object, 'status', 'numberReady'), wanted) ??
    current(`DaemonSet runs on ${wanted} ${wanted === 1 ? 'node' : 'nodes'}`)
  )
}

function revisionStatus(object: KubeObject, wanted: number): ObjectStatus | undefined {
  const updated = countAt(object, 'status', 'updatedReplicas')
  const partition = integerAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition')
  if (partition !== undefined) return fewer('PartitionRollout', 'updated', updated, Math.max(0, wanted - partition))
  if (textAt(object, 'status', 'currentRevision') === textAt(object, 'status', 'updateRevision')) return undefined
  return inProgress('RevisionMismatch', 'pods of the previous revision are still there')
}

/** These controllers always write an observed generation; without one, zeros in the status mean nothing yet. */
function notObserved(object: KubeObject): ObjectStatus | undefined {
  if (integerAt(object, 'status', 'observedGeneration') !== undefined) return undefined
  return inProgress('NoObservedGeneration', `the ${object.kind}'s controller has not seen it yet`)
}

function wantedReplicas(object: KubeObject): number {
  return integerAt(object, 'spec', 'replicas') ?? 1
}

function fewer(reason: string, what: string, have: number, want: number): ObjectStatus | undefined {
  return have < want ? inProgress(reason, `${have} of ${replicas(want)} ${what}`) : undefined
}

function surplus(total: number, wanted: number): ObjectStatus | undefined {
  return total > wanted ? inProgress('ExtraPods', `${replicas(total - wanted)} still to be terminated`) : undefined
}

function replicas(count: number): string {
  return count === 1 ? '1 replica' : `${count} replicas`
}

import type { KubeObject } from '../../../core/index.ts'

/** The status of a Deployment that is rolled out. */
export const rolledOut = {
  observedGeneration: 2,
  replicas: 1,
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
  conditions: [
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    { type: 'Available', status: 'True' },
  ],
}

/** A workload of one Pod. */
export function workload(kind: string, name: string): KubeObject {
  const spec = { replicas: 1, selector: { matchLabels: { app: name } } }
  return { apiVersion: 'apps/v1', kind, metadata: { name, namespace: 'shop', generation: 2 }, spec }
}

/** The Deployment web, at a revision. */
export function deployment(revision: string, status: Record<string, unknown> = { observedGeneration: 2 }): KubeObject {
  const object = workload('Deployment', 'web')
  const annotations = { 'deployment.kubernetes.io/revision': revision }
  return { ...object, metadata: { ...object.metadata, annotations }, status }
}

/** A ReplicaSet of the Deployment web. */
export function replicaSet(name: string, revision: string): KubeObject {
  const annotations = { 'deployment.kubernetes.io/revision': revision }
  const metadata = { name, namespace: 'shop', annotations, ownerReferences: [owned('Deployment', 'web')] }
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata }
}

/** The reference to an owner. */
export function owned(kind: string, name: string) {
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1'
  return { apiVersion, kind, name, uid: `uid-${name}`, controller: true }
}

/** A Pod. */
export function pod(
  name: string,
  owner: ReturnType<typeof owned> | undefined,
  status: Record<string, unknown>,
  labels: Record<string, string> = {},
): KubeObject {
  const app = owner?.name.split('-')[0] ?? name
  const metadata = { name, namespace: 'shop', labels: { app, ...labels }, ...(owner && { ownerReferences: [owner] }) }
  return { apiVersion: 'v1', kind: 'Pod', metadata, status }
}

/** The status of a Pod whose container waits. */
export function waiting(reason: string, message = ''): Record<string, unknown> {
  return { phase: 'Pending', containerStatuses: [{ name: 'main', state: { waiting: { reason, message } } }] }
}

/** The status of a Pod that crashes again and again. */
export function crashLoop(): Record<string, unknown> {
  const state = { waiting: { reason: 'CrashLoopBackOff' } }
  const lastState = { terminated: { exitCode: 3, reason: 'Error' } }
  return { phase: 'Running', containerStatuses: [{ name: 'main', restartCount: 2, state, lastState }] }
}

/** An Event about an object. */
export function event(uid: string, reason: string, message: string): KubeObject {
  const metadata = { name: `${uid}.${reason}`, namespace: 'shop' }
  const facts = { type: 'Warning', reason, message, lastTimestamp: '2026-01-01T00:00:05Z' }
  return { apiVersion: 'v1', kind: 'Event', metadata, ...facts, involvedObject: { uid } }
}

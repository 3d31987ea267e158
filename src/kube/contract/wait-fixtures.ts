import assert from 'node:assert/strict'
import { isLadingError, type KubeObject, LadingError, refOf } from '../../core/index.ts'
import { createObject } from '../apply/create.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import { patchObject } from '../apply/patch.ts'
import type { WaitedObject } from '../wait/not-ready-error.ts'
import type { WaitTarget } from '../wait/tracked-object.ts'
import { waitForReady, type WaitOptions, type WaitResult } from '../wait/wait-for-ready.ts'
import { watchObjects } from '../watch/watch.ts'
import { create, installWidgets, type OwnKind, widgetCrd } from './fixtures.ts'
import { type Followed, followEvents } from './follow-events.ts'
import type { CaseContext } from './harness.ts'

/** A wait that goes on while the case does something else. */
export interface OpenWait extends Followed<WaitResult> {
  /** The error that the wait ends with. */
  error(code: 'wait.failed' | 'wait.timeout' | 'delete.timeout'): Promise<{ message: string; objects: WaitedObject[] }>
}

/** Begins to wait for objects; the case's own server need not be fast, so the limit is generous. */
export function beginWait(c: CaseContext, targets: readonly WaitTarget[], options: WaitOptions = {}): OpenWait {
  const limits = { timeoutMs: 60_000, logTailLines: 0, ...options }
  const followed = followEvents(waitForReady(c.cluster, targets, limits, c.ctx))
  return {
    ...followed,
    async error(code) {
      const error = await followed.result.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof LadingError, `the wait did not fail but told ${JSON.stringify(followed.events)}`)
      assert.equal(error.code, code, error.message)
      return { message: error.message, objects: error.details['objects'] as WaitedObject[] }
    },
  }
}

/** Writes an object's status as its controller would. */
export function writeStatus(c: CaseContext, object: KubeObject, status: Record<string, unknown>): Promise<KubeObject> {
  return patchObject(c.cluster, refOf(object), { status }, { type: 'merge', subresource: 'status' }, c.ctx)
}

/** A condition of a custom resource. */
export function condition(type: string, status: string, facts: Record<string, unknown> = {}): Record<string, unknown> {
  return { type, status, reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z', ...facts }
}

/** A Job that the cluster's own controller leaves alone. */
export function unmanagedJob(c: CaseContext, name: string): Promise<KubeObject> {
  const labels = { job: name }
  return create(c, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: c.namespace },
    spec: {
      managedBy: 'lading.dev/nobody',
      manualSelector: true,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.invalid/job:1' }] },
      },
    },
  })
}

/** A pod that no scheduler and no kubelet looks at, so that the case alone writes its status. */
export async function unscheduledPod(c: CaseContext, name: string, owner?: KubeObject): Promise<KubeObject> {
  await ensureServiceAccount(c)
  const { apiVersion, kind, metadata } = owner ?? {}
  const reference = { apiVersion, kind, name: metadata?.name, uid: metadata?.uid, controller: true }
  const labels: Record<string, string> = kind === 'Job' && metadata !== undefined ? { job: metadata.name } : {}
  return create(c, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: c.namespace,
      labels,
      ...(owner && { ownerReferences: [reference as never] }),
    },
    spec: {
      schedulerName: 'nobody',
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'example.invalid/main:1' }],
    },
  })
}

/** The status of a pod whose container waits for the given reason. */
export function waitingPod(reason: string, message = '', restartCount = 0): Record<string, unknown> {
  const last = restartCount === 0 ? {} : { terminated: { exitCode: 3, reason: 'Error' } }
  return {
    phase: reason === 'CrashLoopBackOff' ? 'Running' : 'Pending',
    containerStatuses: [
      {
        name: 'main',
        image: 'example.invalid/main:1',
        imageID: '',
        ready: false,
        restartCount,
        state: { waiting: { reason, message } },
        lastState: last,
      },
    ],
  }
}

/** The status of a pod that serves. */
export const readyPod = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [],
} as const

/** Records an event about an object, as a kubelet or controller would. */
export async function recordEvent(c: CaseContext, about: KubeObject, reason: string, message: string): Promise<void> {
  const { apiVersion, kind, metadata } = about
  const { name, namespace = c.namespace, uid, resourceVersion } = metadata
  await create(c, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${reason.toLowerCase()}`, namespace },
    type: 'Warning',
    reason,
    message,
    count: 2,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:05Z',
    source: { component: 'contract' },
    involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
  })
}

/** Widgets whose CRD promises conditions in their status. */
export function installReportingWidgets(c: CaseContext): Promise<OwnKind> {
  const crd = widgetCrd(c)
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const status = { ...anything, properties: { conditions: { type: 'array', items: anything } } }
  const [version] = (crd['spec'] as { versions: Record<string, unknown>[] }).versions
  const schema = { openAPIV3Schema: { ...anything, properties: { status } } }
  return installWidgets(c, { ...crd, spec: { ...(crd['spec'] as object), versions: [{ ...version, schema }] } })
}

/** The first object of a kind in the case's namespace that fits. */
export async function firstObject(
  c: CaseContext,
  gvk: { group: string; version: string; kind: string },
  fits: (object: KubeObject) => boolean,
): Promise<KubeObject> {
  for await (const event of watchObjects(c.cluster, { gvk, namespace: c.namespace }, c.ctx)) {
    if ((event.type === 'added' || event.type === 'modified') && fits(event.object)) return event.object
  }
  throw new Error('the watch ended')
}

/** Pods need the account that controllers make a moment after the namespace. */
async function ensureServiceAccount(c: CaseContext): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: c.namespace } }
  try {
    await createObject(c.cluster, account, {}, c.ctx)
  } catch (error) {
    if (!isLadingError(error, 'kube.already-exists')) throw error
  }
}

/** Deletes an object, and what it owns, without waiting for its end. */
export async function remove(c: CaseContext, object: KubeObject): Promise<void> {
  const path = objectPath(await resolveResource(c.cluster, refOf(object), c.ctx), refOf(object))
  await c.cluster.transport.request({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } }, c.ctx)
}

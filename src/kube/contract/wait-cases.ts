import assert from 'node:assert/strict'
import { context, isLadingError, type KubeObject, LadingError, refOf } from '../../core/index.ts'
import { objectPath, resolveResource } from '../paths.ts'
import { patchObject } from '../patch.ts'
import { waitForReady } from '../wait/wait-for-ready.ts'
import { configMap, configMapRef, create, deployment, installWidgets } from './fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from './harness.ts'
import {
  beginWait,
  condition,
  firstObject,
  installReportingWidgets,
  readyPod,
  recordEvent,
  statusOf,
  unmanagedJob,
  unscheduledPod,
  waitingPod,
  writeStatus,
} from './wait-fixtures.ts'

/** Waiting for readiness. */
export const waitCases: readonly ContractCase[] = [
  contractCase('wait: what nobody works on is ready as soon as it is stored', async (c) => {
    const wait = beginWait(c, [await create(c, configMap(c, 'a'))])
    assert.deepEqual(
      (await wait.result).objects.map(({ status }) => status),
      ['Current'],
    )
  }),
  contractCase('wait: an object that does not exist yet is waited for', async (c) => {
    const wait = beginWait(c, [configMapRef(c, 'late')])
    await wait.saw(statusOf('late', 'NotFound'))
    await create(c, configMap(c, 'late'))
    await wait.result
    assert.deepEqual(
      wait.events.map((event) => event.type === 'status' && event.status),
      ['NotFound', 'Current'],
    )
  }),
  contractCase('wait: nothing to wait for is ready', async (c) => {
    assert.deepEqual((await beginWait(c, []).result).objects, [])
  }),
  contractCase('wait: a custom resource without a status is ready when its CRD promises none', async (c) => {
    const widgets = await installWidgets(c)
    await create(c, widgets.object('w'))
    await beginWait(c, [widgets.ref('w')]).result
  }),
  contractCase('wait: a fresh custom resource is not ready while its CRD promises conditions', async (c) => {
    const widgets = await installReportingWidgets(c)
    const widget = await create(c, widgets.object('w'))
    const wait = beginWait(c, [widget])
    await wait.saw(statusOf('w', 'InProgress', 'has not written a status'))
    await writeStatus(c, widget, { conditions: [condition('Ready', 'False', { message: 'no bucket' })] })
    await wait.saw(statusOf('w', 'InProgress', 'no bucket'))
    await writeStatus(c, widget, { conditions: [condition('Ready', 'True')] })
    await wait.result
  }),
  contractCase('wait: a status about an older generation does not count', async (c) => {
    const widgets = await installWidgets(c)
    const widget = await create(c, widgets.object('w', { spec: { size: 1 } }))
    await writeStatus(c, widget, { observedGeneration: 1, conditions: [condition('Ready', 'True')] })
    const patch = { spec: { size: 2 } }
    const changed = await patchObject(c.cluster, refOf(widget), patch, { type: 'merge' }, c.ctx)
    const wait = beginWait(c, [changed])
    await wait.saw(statusOf('w', 'InProgress', 'generation is 2'))
    await writeStatus(c, widget, { observedGeneration: 2 })
    await wait.result
  }),
  contractCase('wait: an observed generation written as text does not hang', async (c) => {
    const widgets = await installWidgets(c)
    const widget = await create(c, widgets.object('w'))
    await writeStatus(c, widget, { observedGeneration: '1', conditions: [condition('Ready', 'True')] })
    await beginWait(c, [refOf(widget)]).result
  }),
  contractCase('wait: a status is told once, not at every change of the object', async (c) => {
    const widgets = await installWidgets(c)
    const widget = await create(c, widgets.object('w'))
    await writeStatus(c, widget, { conditions: [condition('Ready', 'False', { message: 'busy' })] })
    const wait = beginWait(c, [refOf(widget)])
    await wait.saw(statusOf('w', 'InProgress'))
    for (const count of [1, 2, 3]) await writeStatus(c, widget, { count })
    await writeStatus(c, widget, { conditions: [condition('Ready', 'True')] })
    await wait.result
    assert.equal(wait.events.length, 2, JSON.stringify(wait.events))
  }),
  contractCase('wait: the first failure ends it, with the reason and with what else is not ready', async (c) => {
    const widgets = await installWidgets(c)
    const [bad, busy] = [await create(c, widgets.object('bad')), await create(c, widgets.object('busy'))]
    await writeStatus(c, busy, { conditions: [condition('Ready', 'False', { message: 'busy' })] })
    const wait = beginWait(c, [widgets.ref('bad'), refOf(busy)])
    await wait.saw(statusOf('busy', 'InProgress'))
    await writeStatus(c, bad, { conditions: [condition('Stalled', 'True', { reason: 'BadSize', message: 'too big' })] })
    const { message, objects } = await wait.error('wait.failed')
    assert.match(message, /bad failed: too big \(and 1 more not ready\)/)
    assert.deepEqual(
      objects.map(({ ref, status, reason }) => [ref.name, status, reason]),
      [
        ['bad', 'Failed', 'BadSize'],
        ['busy', 'InProgress', 'Test'],
      ],
    )
  }),
  contractCase('wait: without fail-fast every failure is reported, once nothing is in progress', async (c) => {
    const widgets = await installWidgets(c)
    const made = await Promise.all(['a', 'b', 'c'].map((name) => create(c, widgets.object(name))))
    const [a, b, other] = made as [KubeObject, KubeObject, KubeObject]
    await writeStatus(c, other, { conditions: [condition('Ready', 'False')] })
    for (const each of [a, b]) await writeStatus(c, each, { conditions: [condition('Stalled', 'True')] })
    const wait = beginWait(c, made.map(refOf), { failFast: false })
    await wait.saw(statusOf('b', 'Failed'))
    await wait.saw(statusOf('a', 'Failed'))
    await writeStatus(c, other, { conditions: [condition('Ready', 'True')] })
    const { objects } = await wait.error('wait.failed')
    assert.deepEqual(objects.map(({ ref }) => ref.name).sort(), ['a', 'b'])
  }),
  contractCase('wait: the end of time names what is not ready and its last events', async (c) => {
    const widgets = await installWidgets(c)
    const widget = await create(c, widgets.object('w'))
    await writeStatus(c, widget, { conditions: [condition('Ready', 'False', { message: 'no bucket' })] })
    await recordEvent(c, widget, 'NoBucket', 'the bucket is missing')
    const wait = beginWait(c, [refOf(widget), configMapRef(c, 'absent')], { timeoutMs: 1_000 })
    const { message, objects } = await wait.error('wait.timeout')
    assert.match(message, /is not ready after 1 s/)
    const [first, second] = objects
    assert.equal(first?.message, 'no bucket')
    assert.deepEqual(
      first.events?.map(({ reason, message, count }) => [reason, message, count]),
      [['NoBucket', 'the bucket is missing', 2]],
    )
    assert.equal(second?.status, 'NotFound')
  }),
  contractCase('wait: more objects of a kind than have watches of their own', async (c) => {
    const widgets = await installWidgets(c)
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const made = await Promise.all(names.map((name) => create(c, widgets.object(name))))
    for (const each of made) await writeStatus(c, each, { conditions: [condition('Ready', 'False')] })
    const wait = beginWait(c, made)
    await Promise.all(names.map((name) => wait.saw(statusOf(name, 'InProgress'))))
    for (const each of made) await writeStatus(c, each, { conditions: [condition('Ready', 'True')] })
    assert.equal((await wait.result).objects.length, names.length)
  }),
  contractCase('wait: namespaces and CRDs are waited for by their own rules', async (c) => {
    const widgets = await installWidgets(c)
    const crd = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    const namespace = { group: '', version: 'v1', kind: 'Namespace', name: c.namespace }
    await beginWait(c, [namespace, { ...crd, name: `widgets.${widgets.group}` }]).result
  }),
  contractCase('wait: a Job is ready when it is complete', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const wait = beginWait(c, [job])
    await wait.saw(statusOf('work', 'InProgress', 'not started'))
    await finishJob(c, job, 'Complete')
    await wait.result
  }),
  contractCase('wait: a failed Job fails for its own reason', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const wait = beginWait(c, [job])
    await wait.saw(statusOf('work', 'InProgress'))
    await finishJob(c, job, 'Failed')
    const { objects } = await wait.error('wait.failed')
    assert.deepEqual(
      objects.map(({ reason, message }) => [reason, message]),
      [['BackoffLimitExceeded', 'too often']],
    )
  }),
  contractCase('wait: a Job that was removed after it completed counts as done', async (c) => {
    const job = await unmanagedJob(c, 'work')
    await finishJob(c, job, 'Complete')
    await remove(c, job)
    // The wait begins late: it sees what happened since the Job was created.
    await beginWait(c, [job]).result
  }),
  contractCase('wait: a Job that was removed before it ended has failed', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const wait = beginWait(c, [job])
    await wait.saw(statusOf('work', 'InProgress'))
    await remove(c, job)
    const { objects } = await wait.error('wait.failed')
    assert.equal(objects[0]?.reason, 'Deleted')
  }),
  contractCase(
    'wait: an image that cannot be pulled fails its Job at once, naming the pod and its events',
    async (c) => {
      const job = await unmanagedJob(c, 'work')
      const wait = beginWait(c, [job])
      await wait.saw(statusOf('work', 'InProgress'))
      const pod = await unscheduledPod(c, 'work-x', job)
      await recordEvent(c, pod, 'Failed', 'no such image')
      await writeStatus(c, pod, waitingPod('ImagePullBackOff', 'Back-off pulling image'))
      const { message, objects } = await wait.error('wait.failed')
      assert.match(message, /pod work-x: container main is in ImagePullBackOff: Back-off pulling image/)
      const [diagnosis] = objects[0]?.pods ?? []
      assert.equal(diagnosis?.ref.name, 'work-x')
      assert.equal(diagnosis.container, 'main')
      assert.deepEqual(
        diagnosis.events.map((event) => event.message),
        ['no such image'],
      )
    },
  ),
  contractCase('wait: a Job with retries left is not failed by a crashing pod', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const pod = await unscheduledPod(c, 'work-x', job)
    await writeStatus(c, pod, waitingPod('CrashLoopBackOff', '', 2))
    const wait = beginWait(c, [job])
    await writeStatus(c, job, { startTime: '2026-01-01T00:00:00Z', active: 1 })
    await wait.saw(statusOf('work', 'InProgress', '1 active'))
    await finishJob(c, job, 'Complete')
    await wait.result
  }),
  contractCase('wait: a crash-looping pod fails and tells how it exited', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    const wait = beginWait(c, [pod])
    await wait.saw(statusOf('web', 'InProgress'))
    await writeStatus(c, pod, waitingPod('CrashLoopBackOff', '', 4))
    const { objects } = await wait.error('wait.failed')
    assert.equal(objects[0]?.reason, 'CrashLoopBackOff')
    assert.match(objects[0].message, /exited with code 3/)
  }),
  contractCase('wait: a crash-looping pod is given as many restarts as are allowed', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    await writeStatus(c, pod, waitingPod('CrashLoopBackOff', '', 2))
    const wait = beginWait(c, [refOf(pod)], { allowedRestarts: 3 })
    await wait.saw(statusOf('web', 'InProgress', 'CrashLoopBackOff'))
    await writeStatus(c, pod, readyPod)
    await wait.result
  }),
  contractCase('wait: a missing Secret is given time to come', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    await writeStatus(c, pod, waitingPod('CreateContainerConfigError', 'secret "x" not found'))
    const wait = beginWait(c, [refOf(pod)])
    await wait.saw(statusOf('web', 'InProgress', 'secret "x" not found'))
    await writeStatus(c, pod, readyPod)
    await wait.result
  }),
  contractCase('wait: a missing Secret that does not come fails', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    await writeStatus(c, pod, waitingPod('CreateContainerConfigError', 'secret "x" not found'))
    const wait = beginWait(c, [refOf(pod)], { graceMs: 300 })
    const { objects } = await wait.error('wait.failed')
    assert.equal(objects[0]?.reason, 'CreateContainerConfigError')
  }),
  contractCase('wait: a pod that no node takes is a warning, not a failure', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }
    await writeStatus(c, pod, { phase: 'Pending', conditions: [unscheduled] })
    const wait = beginWait(c, [refOf(pod)])
    await wait.saw((event) => event.type === 'warning' && event.message.includes('0/3 nodes'))
    await writeStatus(c, pod, readyPod)
    await wait.result
    assert.equal(wait.events.filter((event) => event.type === 'warning').length, 1)
  }),
  contractCase('wait: until completed, a running pod is not enough', async (c) => {
    const pod = await unscheduledPod(c, 'hook')
    await writeStatus(c, pod, readyPod)
    const wait = beginWait(c, [refOf(pod)], { until: 'Completed' })
    await wait.saw(statusOf('hook', 'InProgress', 'not completed'))
    await writeStatus(c, pod, { phase: 'Succeeded' })
    await wait.result
  }),
  contractCase('wait: a claim that is bound for its first consumer is not waited for', async (c) => {
    const storageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: c.unique },
      provisioner: 'lading.dev/nobody',
      volumeBindingMode: 'WaitForFirstConsumer',
    }
    c.cleanUp(await create(c, storageClass))
    const claim = await create(c, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: c.namespace },
      spec: { storageClassName: c.unique, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    await beginWait(c, [refOf(claim)]).result
  }),
  contractCase('wait: a rule in CEL decides for its kind', async (c) => {
    const widgets = await installWidgets(c)
    const [good, bad] = [await create(c, widgets.object('good')), await create(c, widgets.object('bad'))]
    const rules = [{ kind: 'Widget', current: 'status.done >= 3', failed: 'status.phase == "Broken"' }]
    const wait = beginWait(c, [refOf(good), refOf(bad)], { rules, failFast: false })
    await wait.saw(statusOf('good', 'InProgress'))
    await writeStatus(c, good, { done: 3 })
    await wait.saw(statusOf('good', 'Current'))
    await writeStatus(c, bad, { phase: 'Broken' })
    const { objects } = await wait.error('wait.failed')
    assert.deepEqual(
      objects.map(({ ref, reason }) => [ref.name, reason]),
      [['bad', 'RuleFailed']],
    )
  }),
  contractCase('wait: an object brings its own rule in an annotation', async (c) => {
    const annotations = { 'lading.dev/ready-when': 'data.ready == "yes"' }
    const object = configMap(c, 'a', { ready: 'no' })
    const made = await create(c, { ...object, metadata: { ...object.metadata, annotations } })
    const wait = beginWait(c, [refOf(made)])
    await wait.saw(statusOf('a', 'InProgress'))
    await patchObject(c.cluster, refOf(made), { data: { ready: 'yes' } }, { type: 'merge' }, c.ctx)
    await wait.result
  }),
  contractCase('wait: an object that asks not to be waited for is not', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    const patch = { metadata: { annotations: { 'sherpack.io/skip-wait': 'true' } } }
    await patchObject(c.cluster, refOf(pod), patch, { type: 'merge' }, c.ctx)
    await beginWait(c, [refOf(pod)]).result
  }),
  contractCase('wait: until deleted, an object and the finalizer that holds it are watched', async (c) => {
    const object = configMap(c, 'a')
    const made = await create(c, { ...object, metadata: { ...object.metadata, finalizers: ['lading.dev/test'] } })
    await remove(c, made)
    const late = beginWait(c, [refOf(made)], { until: 'Deleted', timeoutMs: 3000 })
    assert.match((await late.error('delete.timeout')).message, /lading\.dev\/test/)
    const wait = beginWait(c, [refOf(made)], { until: 'Deleted' })
    await wait.saw(statusOf('a', 'Terminating', 'lading.dev/test'))
    await patchObject(c.cluster, refOf(made), { metadata: { finalizers: null } }, { type: 'merge' }, c.ctx)
    assert.equal((await wait.result).objects[0]?.status, 'NotFound')
  }),
  contractCase('wait: who may not read an object is told so', async (c) => {
    const wait = waitForReady(c.unprivileged, [configMapRef(c, 'a')], {}, c.ctx)
    await assert.rejects(wait.next(), (error) => isLadingError(error, 'kube.forbidden'))
  }),
  contractCase('wait: ends at once when it is cancelled', async (c) => {
    const stop = new AbortController()
    const wait = waitForReady(c.cluster, [configMapRef(c, 'never')], {}, context({ signal: stop.signal }))
    await wait.next()
    const next = wait.next()
    stop.abort()
    await assert.rejects(next, (error) => error instanceof LadingError && error.code === 'cancelled')
  }),
  contractCase(
    'wait: a crash-looping pod fails its Deployment long before the deadline, one of an old revision does not',
    async (c) => {
      const pods = { group: '', version: 'v1', kind: 'Pod' }
      const object = await create(c, unscheduledDeployment(c, 'web', 'example.invalid/web:1'))
      const old = await firstObject(c, pods, (pod) => pod.metadata.name.startsWith('web-'))
      await writeStatus(c, old, waitingPod('CrashLoopBackOff', '', 5))
      const crash = beginWait(c, [refOf(object)])
      assert.match((await crash.error('wait.failed')).message, /web-.*CrashLoopBackOff: exited with code 3/)

      const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'example.invalid/web:2' }]
      const changed = await patchObject(c.cluster, refOf(object), image, { type: 'json' }, c.ctx)
      const wait = beginWait(c, [changed])
      const hash = old.metadata.labels?.['pod-template-hash']
      const fresh = await firstObject(c, pods, (pod) => pod.metadata.labels?.['pod-template-hash'] !== hash)
      await writeStatus(c, old, waitingPod('CrashLoopBackOff', '', 6))
      await wait.saw(statusOf('web', 'InProgress', '0 of 1 replica available'))
      await writeStatus(c, fresh, { ...readyPod, conditions: [{ ...condition('Ready', 'True') }] })
      await wait.result
    },
  ),
]

function unscheduledDeployment(c: CaseContext, name: string, image: string): KubeObject {
  const object = deployment(c, name)
  const labels = { app: name }
  return {
    ...object,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      // One pod more may be there, so that the new one is made beside the old.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: { schedulerName: 'nobody', containers: [{ name: 'main', image }] },
      },
    },
  }
}

async function finishJob(c: CaseContext, job: KubeObject, how: 'Complete' | 'Failed'): Promise<void> {
  const startTime = '2026-01-01T00:00:00Z'
  const facts = { lastProbeTime: startTime }
  const done =
    how === 'Complete'
      ? {
          succeeded: 1,
          completionTime: '2026-01-01T00:00:01Z',
          conditions: [condition('SuccessCriteriaMet', 'True', facts), condition('Complete', 'True', facts)],
        }
      : {
          failed: 1,
          conditions: ['FailureTarget', 'Failed'].map((type) =>
            condition(type, 'True', { ...facts, reason: 'BackoffLimitExceeded', message: 'too often' }),
          ),
        }
  await writeStatus(c, job, { startTime, active: 0, ready: 0, terminating: 0, uncountedTerminatedPods: {}, ...done })
}

async function remove(c: CaseContext, object: KubeObject): Promise<void> {
  const path = objectPath(await resolveResource(c.cluster, refOf(object), c.ctx), refOf(object))
  await c.cluster.transport.request({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } }, c.ctx)
}

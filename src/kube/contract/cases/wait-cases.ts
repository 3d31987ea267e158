import assert from 'node:assert/strict'
import { context, isLadingError, type KubeObject, LadingError, refOf } from '../../../core/index.ts'
import { patchObject } from '../../apply/patch.ts'
import { waitForReady } from '../../wait/wait-for-ready.ts'
import { configMap, configMapRef, create, installWidgets } from '../fixtures/fixtures.ts'
import { statusOf } from '../fixtures/follow-events.ts'
import { type ContractCase, contractCase } from '../harness.ts'
import {
  beginWait,
  condition,
  installReportingWidgets,
  recordEvent,
  remove,
  unscheduledPod,
  writeStatus,
} from '../fixtures/wait-fixtures.ts'
import { workloadWaitCases } from './workload-wait-cases.ts'

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
  ...workloadWaitCases,
]

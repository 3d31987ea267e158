import assert from 'node:assert/strict'
import { isLadingError, type KubeObject, type LadingError } from '../../../core/index.ts'
import { createObject } from '../../apply/create.ts'
import { getObject } from '../../read/get.ts'
import { readLog } from '../../pods/logs.ts'
import { patchObject } from '../../apply/patch.ts'
import { waitForServiceAccount } from '../../set/wait-for-crds.ts'
import { updateObject } from '../../apply/update.ts'
import { configMap, configMapRef, create, deployment, installWidgets } from '../fixtures/fixtures.ts'
import { type ContractCase, contractCase } from '../harness.ts'

/** Create, update, patch and logs. */
export const writeCases: readonly ContractCase[] = [
  contractCase('create gives the object as it is stored', async (c) => {
    const created = await create(c, configMap(c, 'a', { key: 'value' }))
    assert.ok(created.metadata.uid)
    assert.ok(created.metadata.resourceVersion)
    assert.ok(created.metadata.creationTimestamp)
    assert.equal(created.metadata.managedFields?.[0]?.manager, 'lading')
    assert.deepEqual(created['data'], { key: 'value' })
  }),
  contractCase('create of what exists already says so', async (c) => {
    await create(c, configMap(c, 'a'))
    const error = await failure(create(c, configMap(c, 'a')))
    assert.equal(error.code, 'kube.already-exists')
    assert.equal(error.details.name, 'a')
  }),
  contractCase('create leaves the name to the server', async (c) => {
    const unnamed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-', namespace: c.namespace } }
    const made = await Promise.all([1, 2, 3].map(() => create(c, unnamed as unknown as KubeObject)))
    assert.equal(new Set(made.map((object) => object.metadata.name)).size, 3)
    for (const { metadata } of made) assert.match(metadata.name, /^gen-[a-z0-9]{5}$/)
  }),
  contractCase('create in a dry run answers as if, and stores nothing', async (c) => {
    const answer = await createObject(c.cluster, configMap(c, 'a'), { dryRun: true }, c.ctx)
    assert.ok(answer.metadata.uid)
    assert.equal(await getObject(c.cluster, configMapRef(c, 'a'), c.ctx), undefined)
  }),
  contractCase('create with strict validation refuses an unknown field', async (c) => {
    const object = { ...configMap(c, 'a'), dtaa: {} }
    const error = await failure(createObject(c.cluster, object, { fieldValidation: 'Strict' }, c.ctx))
    assert.equal(error.code, 'kube.bad-request')
    await createObject(c.cluster, object, { fieldValidation: 'Ignore' }, c.ctx)
  }),
  contractCase('create of an invalid object names the fields', async (c) => {
    const object = configMap(c, 'Not A Name')
    const error = await failure(create(c, object))
    assert.equal(error.code, 'kube.invalid')
    const causes = error.details.causes
    assert.ok(causes?.some(({ field }) => field === 'metadata.name'))
  }),
  contractCase('create in a missing namespace names the namespace', async (c) => {
    const object = configMap(c, 'a')
    object.metadata.namespace = `${c.unique}-absent`
    const error = await failure(create(c, object))
    assert.equal(error.code, 'kube.not-found')
    assert.equal(error.details.name, object.metadata.namespace)
  }),
  contractCase('create of a namespaced object needs its namespace', async (c) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    assert.equal((await failure(create(c, object))).code, 'object.invalid')
  }),
  contractCase('create without the right to is forbidden', async (c) => {
    const error = await failure(createObject(c.unprivileged, configMap(c, 'a'), {}, c.ctx))
    assert.equal(error.code, 'kube.forbidden')
  }),

  contractCase('update replaces the object', async (c) => {
    const created = await create(c, configMap(c, 'a', { old: '1' }))
    const updated = await updateObject(c.cluster, { ...created, data: { new: '2' } }, {}, c.ctx)
    assert.deepEqual(updated['data'], { new: '2' })
    assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion)
    assert.equal(updated.metadata.uid, created.metadata.uid)
  }),
  contractCase('update from an old resourceVersion is a conflict', async (c) => {
    const created = await create(c, configMap(c, 'a', { key: '1' }))
    await updateObject(c.cluster, { ...created, data: { key: '2' } }, {}, c.ctx)
    const error = await failure(updateObject(c.cluster, { ...created, data: { key: '3' } }, {}, c.ctx))
    assert.equal(error.code, 'kube.conflict')
    assert.deepEqual((await getObject(c.cluster, configMapRef(c, 'a'), c.ctx))?.['data'], { key: '2' })
  }),
  contractCase('update that changes nothing keeps the resourceVersion', async (c) => {
    const created = await create(c, configMap(c, 'a', { key: '1' }))
    const updated = await updateObject(c.cluster, created, {}, c.ctx)
    assert.equal(updated.metadata.resourceVersion, created.metadata.resourceVersion)
  }),
  contractCase('update in a dry run stores nothing', async (c) => {
    const created = await create(c, configMap(c, 'a', { key: '1' }))
    const answer = await updateObject(c.cluster, { ...created, data: { key: '2' } }, { dryRun: true }, c.ctx)
    assert.deepEqual(answer['data'], { key: '2' })
    assert.deepEqual(await getObject(c.cluster, configMapRef(c, 'a'), c.ctx), created)
  }),
  contractCase('update of a missing object is not found', async (c) => {
    const widgets = await installWidgets(c)
    const object = widgets.object('absent')
    object.metadata.resourceVersion = '1'
    assert.equal((await failure(updateObject(c.cluster, object, {}, c.ctx))).code, 'kube.not-found')
  }),
  contractCase('update touches the status only through its subresource', async (c) => {
    const widgets = await installWidgets(c)
    const created = await create(c, widgets.object('a', { spec: { size: 1 }, status: { ready: true } }))
    assert.equal(created['status'], undefined)
    const viaStatus = { ...created, spec: { size: 2 }, status: { ready: true } }
    const reported = await updateObject(c.cluster, viaStatus, { subresource: 'status' }, c.ctx)
    assert.deepEqual([reported['spec'], reported['status']], [{ size: 1 }, { ready: true }])
    assert.equal(reported.metadata.generation, 1)
    const viaObject = { ...reported, spec: { size: 3 }, status: { ready: false } }
    const changed = await updateObject(c.cluster, viaObject, {}, c.ctx)
    assert.deepEqual([changed['spec'], changed['status']], [{ size: 3 }, { ready: true }])
    assert.equal(changed.metadata.generation, 2)
  }),

  contractCase('a JSON patch changes what it names', async (c) => {
    await create(c, configMap(c, 'a', { key: '1', other: 'x' }))
    const operations = [
      { op: 'test', path: '/data/key', value: '1' },
      { op: 'replace', path: '/data/key', value: '2' },
      { op: 'remove', path: '/data/other' },
    ]
    const patched = await patchObject(c.cluster, configMapRef(c, 'a'), operations, { type: 'json' }, c.ctx)
    assert.deepEqual(patched['data'], { key: '2' })
  }),
  contractCase('a JSON patch whose test fails changes nothing', async (c) => {
    const created = await create(c, configMap(c, 'a', { key: '1' }))
    const operations = [
      { op: 'replace', path: '/data/key', value: '2' },
      { op: 'test', path: '/data/key', value: 'other' },
    ]
    const error = await failure(patchObject(c.cluster, configMapRef(c, 'a'), operations, { type: 'json' }, c.ctx))
    assert.equal(error.code, 'kube.invalid')
    assert.deepEqual(await getObject(c.cluster, configMapRef(c, 'a'), c.ctx), created)
  }),
  contractCase('a merge patch removes with null and replaces lists', async (c) => {
    const widgets = await installWidgets(c)
    await create(c, widgets.object('a', { spec: { list: [1, 2], drop: 1, keep: { a: 1 } } }))
    const patch = { spec: { list: [3], drop: null, keep: { b: 2 } } }
    const patched = await patchObject(c.cluster, widgets.ref('a'), patch, { type: 'merge' }, c.ctx)
    assert.deepEqual(patched['spec'], { list: [3], keep: { a: 1, b: 2 } })
  }),
  contractCase('a merge patch with an old resourceVersion is a conflict', async (c) => {
    const { metadata } = await create(c, configMap(c, 'a'))
    const patch = (value: string): Promise<KubeObject> => {
      const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: { value } }
      return patchObject(c.cluster, configMapRef(c, 'a'), body, { type: 'merge' }, c.ctx)
    }
    await patch('1')
    assert.equal((await failure(patch('2'))).code, 'kube.conflict')
  }),
  contractCase('a strategic patch merges lists by their keys', async (c) => {
    await create(c, deployment(c, 'web'))
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: c.namespace, name: 'web' }
    const patch = { spec: { template: { spec: { containers: [{ name: 'side', image: 'example.invalid/side:2' }] } } } }
    const patched = await patchObject(c.cluster, ref, patch, { type: 'strategic' }, c.ctx)
    assert.deepEqual(images(patched), { main: 'example.invalid/main:1', side: 'example.invalid/side:2' })
  }),
  contractCase('a strategic patch is not offered for custom resources', async (c) => {
    const widgets = await installWidgets(c)
    await create(c, widgets.object('a'))
    const error = await failure(patchObject(c.cluster, widgets.ref('a'), {}, { type: 'strategic' }, c.ctx))
    assert.equal(error.code, 'kube.unsupported')
  }),
  contractCase('a patch of the status leaves the rest alone', async (c) => {
    const widgets = await installWidgets(c)
    await create(c, widgets.object('a', { spec: { size: 1 } }))
    const patch = { spec: { size: 2 }, status: { ready: true } }
    const options = { type: 'merge', subresource: 'status', fieldManager: 'reporter' } as const
    const patched = await patchObject(c.cluster, widgets.ref('a'), patch, options, c.ctx)
    assert.deepEqual([patched['spec'], patched['status']], [{ size: 1 }, { ready: true }])
    const entry = patched.metadata.managedFields?.find((one) => one.manager === 'reporter')
    assert.equal(entry?.subresource, 'status')
  }),
  contractCase('a patch of the scale changes the replicas', async (c) => {
    await create(c, deployment(c, 'web'))
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: c.namespace, name: 'web' }
    const options = { type: 'merge', subresource: 'scale', dryRun: true } as const
    const scale = await patchObject(c.cluster, ref, { spec: { replicas: 3 } }, options, c.ctx)
    assert.equal(scale.kind, 'Scale')
    assert.deepEqual(scale['spec'], { replicas: 3 })
  }),
  contractCase('a patch of a missing object is not found', async (c) => {
    const error = await failure(patchObject(c.cluster, configMapRef(c, 'absent'), {}, { type: 'merge' }, c.ctx))
    assert.equal(error.code, 'kube.not-found')
    assert.equal(error.details.name, 'absent')
  }),

  contractCase('the log of a missing pod is not found', async (c) => {
    const log = readLog(c.cluster, { namespace: c.namespace, name: 'absent' }, {}, c.ctx)
    assert.equal((await failure(log.next())).code, 'kube.not-found')
  }),
  contractCase('the log of a pod without the right to is forbidden', async (c) => {
    const log = readLog(c.unprivileged, { namespace: c.namespace, name: 'absent' }, {}, c.ctx)
    assert.equal((await failure(log.next())).code, 'kube.forbidden')
  }),
  contractCase('the log of a pod that runs nowhere is empty, of a container it does not have refused', async (c) => {
    // Pods are refused in a namespace whose service account a controller has not made yet.
    assert.ok(await waitForServiceAccount(c.cluster, c.namespace, 'default', 30_000, c.ctx))
    const metadata = { name: 'idle', namespace: c.namespace }
    const containers = [{ name: 'main', image: 'example.invalid/main:1' }]
    await create(c, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { schedulerName: 'nobody', containers } })
    assert.deepEqual(await Array.fromAsync(readLog(c.cluster, metadata, { tailLines: 10 }, c.ctx)), [])
    const error = await failure(readLog(c.cluster, metadata, { container: 'other' }, c.ctx).next())
    assert.equal(error.code, 'kube.bad-request')
  }),
]

async function failure(work: Promise<unknown>): Promise<LadingError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(isLadingError(error), `no LadingError but ${String(error)}`)
  return error
}

function images(deployment: KubeObject): Record<string, string> {
  const { template } = deployment['spec'] as { template: { spec: { containers: { name: string; image: string }[] } } }
  return Object.fromEntries(template.spec.containers.map(({ name, image }) => [name, image]))
}

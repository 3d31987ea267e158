import assert from 'node:assert/strict'
import { type KubeObject, refOf } from '../../../core/index.ts'
import { applyObject } from '../../apply/apply.ts'
import { createObject } from '../../apply/create.ts'
import { getObject } from '../../read/get.ts'
import { patchObject } from '../../apply/patch.ts'
import { adoptCases } from './adopt-cases.ts'
import {
  apply,
  at,
  beforeRequests,
  configMap,
  deployment,
  failure,
  objectIn,
  stored,
  widgetKind,
} from '../fixtures/apply-fixtures.ts'
import { conflictCases } from './conflict-cases.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'
import { replaceCases } from './replace-cases.ts'

const outcomeCases: readonly ContractCase[] = [
  contractCase('an object is created, then unchanged, then configured', async (c) => {
    assert.equal((await apply(c, configMap(c, { a: '1' }))).action, 'created')
    const again = await apply(c, configMap(c, { a: '1' }))
    assert.equal(again.action, 'unchanged')
    const changed = await apply(c, configMap(c, { a: '2' }))
    assert.equal(changed.action, 'configured')
    assert.notEqual(changed.object.metadata.resourceVersion, again.object.metadata.resourceVersion)
    assert.deepEqual((await stored(c, changed.object))['data'], { a: '2' })
  }),
  contractCase('an object whose version is known costs one request', async (c) => {
    const methods: string[] = []
    const counted = beforeRequests(c.cluster, ({ method }) => void methods.push(method))
    const { object } = await applyObject(counted, configMap(c, { a: '1' }), { liveVersion: null }, c.ctx)
    const liveVersion = object.metadata.resourceVersion ?? ''
    const same = await applyObject(counted, configMap(c, { a: '1' }), { liveVersion }, c.ctx)
    assert.deepEqual([same.action, ...methods], ['unchanged', 'PATCH', 'PATCH'])
  }),
  contractCase('a dry-run creates nothing', async (c) => {
    const { action, object } = await apply(c, configMap(c, { a: '1' }), { dryRun: true })
    assert.equal(action, 'created')
    assert.equal(await getObject(c.cluster, refOf(object), c.ctx), undefined)
  }),
  contractCase('a dry-run tells what the real apply does, and shows the object before and after', async (c) => {
    const before = (await apply(c, deployment(c))).object
    const same = await apply(c, deployment(c), { dryRun: true })
    assert.equal(same.action, 'unchanged')
    const changed = await apply(c, deployment(c, { minReadySeconds: 7 }), { dryRun: true })
    assert.equal(changed.action, 'configured')
    assert.equal(at(changed.object, 'spec', 'minReadySeconds'), 7)
    assert.equal(at(changed.live, 'spec', 'minReadySeconds'), undefined)
    assert.equal(at(await stored(c, before), 'metadata', 'generation'), before.metadata.generation)
    assert.equal(at(await stored(c, before), 'spec', 'minReadySeconds'), undefined)
  }),
  contractCase('becoming a second owner is a change, in a dry-run as in truth', async (c) => {
    await apply(c, configMap(c, { a: '1' }), { fieldManager: 'first' })
    assert.equal((await apply(c, configMap(c, { a: '1' }), { dryRun: true })).action, 'configured')
    assert.equal((await apply(c, configMap(c, { a: '1' }))).action, 'configured')
    assert.equal((await apply(c, configMap(c, { a: '1' }), { dryRun: true })).action, 'unchanged')
  }),
  contractCase('an apply that changes nothing says so although a controller writes at the same time', async (c) => {
    await apply(c, deployment(c))
    let count = 0
    const busy = beforeRequests(c.cluster, async ({ method }) => {
      if (method !== 'PATCH' || ++count > 2) return
      const status = { status: { conditions: [{ type: 'Busy', status: 'True', reason: `Write${count}` }] } }
      const options = { type: 'merge', subresource: 'status', fieldManager: 'controller' } as const
      await patchObject(c.cluster, refOf(deployment(c)), status, options, c.ctx)
    })
    assert.equal((await applyObject(busy, deployment(c), {}, c.ctx)).action, 'unchanged')
  }),
  contractCase('eight appliers of one new object all succeed, and one created it', async (c) => {
    const results = await Promise.all(Array.from({ length: 8 }, () => apply(c, configMap(c, { a: '1' }))))
    assert.equal(results.filter(({ action }) => action === 'created').length, 1)
  }),
  contractCase('applying to an object that is being deleted warns', async (c) => {
    const held = configMap(c, { a: '1' })
    held.metadata.finalizers = ['lading.test/hold']
    await apply(c, held)
    const path = `/api/v1/namespaces/${c.namespace}/configmaps/settings`
    await c.cluster.transport.request({ method: 'DELETE', path }, c.ctx)
    const { warnings } = await apply(c, { ...held, data: { a: '2' } })
    assert.match(warnings.join(), /being deleted/)
    await patchObject(c.cluster, refOf(held), { metadata: { finalizers: null } }, { type: 'merge' }, c.ctx)
  }),
  contractCase('an apply bound to a version is refused when the object moved on', async (c) => {
    const first = await apply(c, configMap(c, { a: '1' }))
    const ifVersion = first.object.metadata.resourceVersion ?? ''
    await apply(c, configMap(c, { a: '2' }))
    await failure(apply(c, configMap(c, { a: '3' }), { ifVersion }), 'kube.conflict')
    assert.deepEqual((await stored(c, first.object))['data'], { a: '2' })
  }),
]

const contentCases: readonly ContractCase[] = [
  contractCase('an unknown field is refused by name', async (c) => {
    const error = await failure(apply(c, configMap(c, { a: '1' }, { dato: {} })), 'kube.bad-request')
    assert.match(error.message, /dato/)
  }),
  contractCase('an unknown field of an existing object is refused by name', async (c) => {
    await apply(c, deployment(c))
    const error = await failure(apply(c, deployment(c, { replicaz: 2 })), 'kube.bad-request')
    assert.match(error.message, /replicaz/)
  }),
  contractCase('a value of the wrong type is refused, and that of a Secret is not repeated', async (c) => {
    await failure(apply(c, configMap(c, { a: 1 })), 'kube.bad-request')
    const secret = objectIn(c, 'v1', 'Secret', 'key', { data: { pin: 48151623 } })
    const error = await failure(apply(c, secret), 'kube.bad-request')
    assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /48151623/)
  }),
  contractCase('a list that holds one key twice is refused by name', async (c) => {
    const env = [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] // prettier-ignore
    const containers = [{ name: 'app', image: 'registry.invalid/app:1', env }]
    const error = await failure(apply(c, deployment(c, {}, { containers })), 'kube.bad-request')
    assert.match(error.message, /name="A"/)
  }),
  contractCase('an unknown field of a custom resource is refused by name, even when a warning would do', async (c) => {
    const apiVersion = await widgetKind(c, {
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
    })
    const widget = objectIn(c, apiVersion, 'Widget', 'w', { spec: { size: 1, colour: 'red' } })
    const error = await failure(apply(c, widget), 'kube.bad-request')
    assert.match(error.message, /colour/)
    const warned = await failure(apply(c, widget, { fieldValidation: 'Warn' }), 'kube.bad-request')
    assert.match(warned.message, /colour/)
  }),
  contractCase('warnings of the server are handed on', async (c) => {
    const pdb = { minAvailable: 1, selector: {} }
    const budget = objectIn(c, 'policy/v1', 'PodDisruptionBudget', 'all', { spec: pdb })
    assert.deepEqual((await apply(c, budget)).warnings, [])
    const host = { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }
    assert.match((await apply(c, deployment(c, {}, host))).warnings.join(), /beta\.kubernetes\.io\/os/)
  }),
  contractCase('unknown fields survive where the schema keeps them', async (c) => {
    const apiVersion = await widgetKind(c, { 'x-kubernetes-preserve-unknown-fields': true })
    const spec = { deep: { list: [1, { odd: null, on: 'yes' }] }, __proto__x: true }
    const widget = objectIn(c, apiVersion, 'Widget', 'w', { spec })
    assert.equal((await apply(c, widget)).action, 'created')
    assert.deepEqual((await stored(c, widget))['spec'], spec)
    assert.equal((await apply(c, widget)).action, 'unchanged')
  }),
  contractCase('an integer past 2^53 is stored exactly', async (c) => {
    const apiVersion = await widgetKind(c, {
      properties: { spec: { type: 'object', properties: { size: { type: 'integer', format: 'int64' } } } },
    })
    const widget = objectIn(c, apiVersion, 'Widget', 'w', { spec: { size: 9007199254740993n } })
    await apply(c, widget)
    assert.equal(at(await stored(c, widget), 'spec', 'size'), 9007199254740993n)
    assert.equal((await apply(c, widget, { dryRun: true })).action, 'unchanged')
  }),
  contractCase('a field that is left out is removed', async (c) => {
    await apply(c, configMap(c, { a: '1', b: '2' }))
    const { object } = await apply(c, configMap(c, { a: '1' }))
    assert.deepEqual(object['data'], { a: '1' })
  }),
  contractCase('a field that is left out stays while another manager applies it too', async (c) => {
    await apply(c, configMap(c, { a: '1', b: '2' }))
    await apply(c, configMap(c, { b: '2' }), { fieldManager: 'other' })
    const { object } = await apply(c, configMap(c, { a: '1' }))
    assert.deepEqual(object['data'], { a: '1', b: '2' })
  }),
  contractCase('a key that is left out of stringData leaves the Secret', async (c) => {
    const secret = (stringData: object): KubeObject => objectIn(c, 'v1', 'Secret', 'key', { stringData })
    await apply(c, secret({ a: 'x', b: 'y' }))
    assert.equal((await apply(c, secret({ a: 'x', b: 'y' }))).action, 'unchanged')
    const { object } = await apply(c, secret({ a: 'x' }))
    assert.deepEqual(object['data'], { a: 'eA==' })
  }),
  contractCase('two managers each keep their own container', async (c) => {
    const container = (name: string): object => ({ name, image: `registry.invalid/${name}:1` })
    await apply(c, deployment(c, {}, { containers: [container('app')] }))
    await apply(c, deployment(c, {}, { containers: [container('side')] }), { fieldManager: 'injector' })
    const { action, object } = await apply(c, deployment(c, {}, { containers: [container('app')] }))
    assert.equal(action, 'unchanged')
    const names = (at(object, 'spec', 'template', 'spec', 'containers') as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(names.sort(), ['app', 'side'])
  }),
  contractCase('one port number with two protocols makes two ports, and TCP need not be written', async (c) => {
    const service = (ports: object[]): KubeObject => objectIn(c, 'v1', 'Service', 'dns', { spec: { ports } })
    const udp = { name: 'udp', port: 53, protocol: 'UDP' }
    await apply(c, service([{ name: 'tcp', port: 53 }, udp]))
    assert.equal((await apply(c, service([{ name: 'tcp', port: 53 }, udp]))).action, 'unchanged')
    const { object } = await apply(c, service([udp]))
    assert.deepEqual(at(object, 'spec', 'ports', 0, 'protocol'), 'UDP')
    assert.equal((at(object, 'spec', 'ports') as unknown[]).length, 1)
  }),
  contractCase('an atomic list is replaced as a whole', async (c) => {
    const command = (...words: string[]): object => ({
      containers: [{ name: 'app', image: 'registry.invalid/app:1', command: words }],
    })
    await apply(c, deployment(c, {}, command('run', '--fast', '--loud')))
    const { object } = await apply(c, deployment(c, {}, command('run')))
    assert.deepEqual(at(object, 'spec', 'template', 'spec', 'containers', 0, 'command'), ['run'])
  }),
  contractCase('an object as it was read from the cluster can be applied', async (c) => {
    await createObject(c.cluster, deployment(c), { fieldManager: 'somebody' }, c.ctx)
    const exported = await stored(c, deployment(c))
    const { object } = await apply(c, exported)
    assert.equal(object.metadata.uid, exported.metadata.uid)
    assert.equal((await apply(c, exported)).action, 'unchanged')
  }),
  contractCase('a namespace on a cluster-scoped object is not sent, and names may hold colons', async (c) => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
    const metadata = { name: `lading:${c.unique}:reader`, namespace: c.namespace }
    const role: KubeObject = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules }
    c.cleanUp({ ...role, metadata: { name: metadata.name } })
    const { action, object } = await apply(c, role)
    assert.equal(action, 'created')
    assert.equal(object.metadata.namespace, undefined)
  }),
]

const refusalCases: readonly ContractCase[] = [
  contractCase('an object in a missing namespace says which', async (c) => {
    const name = `${c.unique}-missing`
    const lost: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: name } }
    const error = await failure(apply(c, lost), 'kube.not-found')
    assert.deepEqual([error.details.kind, error.details.name], ['namespaces', name])
  }),
  contractCase('an object in a namespace that terminates is refused as such', async (c) => {
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${c.unique}-ending` } }
    await apply(c, namespace)
    await whileTerminating(c, namespace, async () => {
      const late = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'late', namespace: namespace.metadata.name },
      }
      await failure(apply(c, late), 'kube.namespace-terminating')
    })
  }),
  contractCase('a user without the right is refused', async (c) => {
    await failure(applyObject(c.unprivileged, configMap(c, { a: '1' }), {}, c.ctx), 'kube.forbidden')
    const blind = { liveVersion: null }
    await failure(applyObject(c.unprivileged, configMap(c, { a: '1' }), blind, c.ctx), 'kube.forbidden')
  }),
  contractCase('a kind that is not served is refused as unknown', async (c) => {
    await failure(apply(c, objectIn(c, 'example.com/v1', 'Gizmo', 'g')), 'kube.unknown-kind')
  }),
  contractCase('an object without a name is refused before anything is sent', async (c) => {
    const nameless = { ...configMap(c, {}), metadata: { generateName: 'a-', namespace: c.namespace } }
    await failure(apply(c, nameless as unknown as KubeObject), 'object.invalid')
  }),
]

/** Server-side apply of one object. */
export const applyCases: readonly ContractCase[] = [
  ...outcomeCases,
  ...contentCases,
  ...refusalCases,
  ...conflictCases,
  ...adoptCases,
  ...replaceCases,
]

/** Runs something while a namespace cannot finish, held by an object with a finalizer. */
async function whileTerminating(c: CaseContext, namespace: KubeObject, run: () => Promise<void>): Promise<void> {
  const metadata = { name: 'holder', namespace: namespace.metadata.name, finalizers: ['lading.test/hold'] }
  const holder: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
  await apply(c, holder)
  const path = `/api/v1/namespaces/${namespace.metadata.name}`
  await c.cluster.transport.request({ method: 'DELETE', path }, c.ctx)
  try {
    await run()
  } finally {
    await patchObject(c.cluster, refOf(holder), { metadata: { finalizers: null } }, { type: 'merge' }, c.ctx)
  }
}

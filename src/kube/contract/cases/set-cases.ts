import assert from 'node:assert/strict'
import { type KubeObject, refOf } from '../../../core/index.ts'
import { getObject } from '../../read/get.ts'
import { patchObject } from '../../apply/patch.ts'
import { apply, at, beforeRequests, deployment, stored } from '../fixtures/apply-fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'
import {
  failures,
  gadgets,
  inCase,
  namespaceOf,
  outcomes,
  settings,
  stagesTold,
  told,
} from '../fixtures/set-fixtures.ts'
import { failureAndDryRunCases } from './set-failure-cases.ts'

const orderCases: readonly ContractCase[] = [
  contractCase('a set is applied in the order of its stages, whatever order it is given in', async (c) => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner' } }
    const web = { ...deployment(c), metadata: { name: 'web' } }
    const set = await told(c, [web, settings('first'), account, priorityClass(c)], { preflight: false })
    assert.deepEqual(stagesTold(set), ['classes', 'access', 'configuration', 'workloads'])
    assert.deepEqual(outcomes(set), [`${c.unique} created`, 'runner created', 'first created', 'web created'])
  }),
  contractCase('a CRD and objects of its kind in one set just work', async (c) => {
    const { crd, gadget } = gadgets(c)
    const set = await told(c, [gadget('one'), crd, gadget('two')])
    assert.equal(set.error, undefined, set.error?.message)
    assert.deepEqual(set.result?.summary.created, 3)
    assert.equal(at(await stored(c, inCase(c, gadget('two'))), 'spec', 'size'), 1)
  }),
  contractCase('a CRD that gains a field and an object that uses the field in one set just work', async (c) => {
    const { crd, gadget } = gadgets(c)
    await told(c, [crd, gadget('one')])
    const version = at(crd, 'spec', 'versions', 0) as { schema: { openAPIV3Schema: object } }
    const spec = { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string' } } }
    version.schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
    const set = await told(c, [crd, gadget('one', { size: 2, colour: 'red' })])
    assert.equal(set.error, undefined, set.error?.message)
    assert.equal(at(await stored(c, inCase(c, gadget('one'))), 'spec', 'colour'), 'red')
  }),
  contractCase('a namespace and its content in one set just work, a Pod included', async (c) => {
    const name = `${c.unique}-new`
    const space = namespaceOf(c, name)
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'lone', namespace: name },
      spec: { containers: [{ name: 'app', image: 'registry.invalid/app:1' }] },
    }
    const set = await told(c, [pod, { ...settings('inside'), metadata: { name: 'inside', namespace: name } }, space])
    assert.equal(set.error, undefined, set.error?.message)
    assert.equal(set.result?.summary.created, 3)
  }),
  contractCase('a Pod and the classes and accounts that it is admitted by in one set just work', async (c) => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner' } }
    const containers = [{ name: 'app', image: 'registry.invalid/app:1' }]
    const spec = { serviceAccountName: 'runner', priorityClassName: c.unique, containers }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'lone' }, spec }
    const dryRun = await told(c, [pod, account, priorityClass(c)], { dryRun: true })
    assert.deepEqual([dryRun.result?.summary.created, dryRun.result?.summary.skipped], [2, 1])
    const set = await told(c, [pod, account, priorityClass(c)])
    assert.equal(set.error, undefined, set.error?.message)
    assert.equal(set.result?.summary.created, 3)
  }),
  contractCase('admission policies come last, so that they do not refuse their own set', async (c) => {
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
    ]
    const selector = { matchLabels: { 'kubernetes.io/metadata.name': c.namespace } }
    const policy = admission(c, 'ValidatingAdmissionPolicy', {
      failurePolicy: 'Fail',
      matchConstraints: { namespaceSelector: selector, resourceRules: rules },
      validations: [{ expression: 'false' }],
    })
    const binding = admission(c, 'ValidatingAdmissionPolicyBinding', {
      policyName: c.unique,
      validationActions: ['Deny'],
    })
    const set = await told(c, [binding, policy, settings('refused-later')])
    assert.equal(set.error, undefined, set.error?.message)
    assert.deepEqual(stagesTold(set), ['preflight', 'configuration', 'admission'])
  }),
  contractCase('a CRD that is never established fails the set at once, with the reason', async (c) => {
    const { crd, gadget } = gadgets(c)
    await told(c, [crd])
    const rival = structuredClone(crd)
    rival.metadata.name = crd.metadata.name.replace('gadgets.', 'gizmos.')
    Object.assign(at(rival, 'spec', 'names') as object, { plural: 'gizmos', singular: 'gizmo' })
    c.cleanUp(rival)
    const set = await told(c, [rival, gadget('one')])
    assert.deepEqual(failures(set.error?.details), [`${rival.metadata.name} wait.failed`])
    assert.equal(await getObject(c.cluster, refOf(inCase(c, gadget('one'))), c.ctx), undefined)
  }),
  contractCase('a second apply of the same set is unchanged throughout and writes nothing', async (c) => {
    const set = [settings('one'), settings('two'), { ...deployment(c), metadata: { name: 'web' } }]
    await told(c, set)
    const writes: string[] = []
    const counted = beforeRequests(c.cluster, ({ method, query }) => {
      if (method !== 'GET' && query?.['dryRun'] === undefined) writes.push(method)
    })
    const again = await told(c, set, {}, counted)
    assert.equal(again.result?.summary.unchanged, 3, JSON.stringify(again.result?.summary))
    assert.deepEqual(writes, [])
  }),
  contractCase('the live objects of a large set are read by lists, not one by one', async (c) => {
    const set = Array.from({ length: 40 }, (_, index) => settings(`many-${index}`))
    const methods = new Map<string, number>()
    const counted = beforeRequests(c.cluster, ({ method }) => {
      methods.set(method, (methods.get(method) ?? 0) + 1)
    })
    await c.cluster.discovery.all(c.ctx)
    const first = await told(c, set, { preflight: false }, counted)
    const second = await told(c, set, { preflight: false }, counted)
    assert.deepEqual([first.result?.summary.created, second.result?.summary.unchanged], [40, 40])
    assert.deepEqual([methods.get('GET'), methods.get('PATCH')], [2, 80])
  }),
]

const scopeCases: readonly ContractCase[] = [
  contractCase('objects without a namespace get the default one, others keep theirs', async (c) => {
    const other = `${c.unique}-other`
    const elsewhere = { ...settings('elsewhere'), metadata: { name: 'elsewhere', namespace: other } }
    await told(c, [namespaceOf(c, other), settings('here'), elsewhere])
    assert.equal((await stored(c, inCase(c, settings('here')))).metadata.namespace, c.namespace)
    assert.equal((await stored(c, elsewhere)).metadata.namespace, other)
  }),
  contractCase('a cluster-scoped object never gets a namespace, and is told when it carries one', async (c) => {
    const plain = await told(c, [priorityClass(c)])
    assert.equal(plain.result?.objects[0]?.ref.namespace, undefined)
    const object = priorityClass(c)
    const carrying = { ...object, metadata: { ...object.metadata, namespace: c.namespace } }
    const set = await told(c, [carrying])
    assert.equal(set.result?.summary.unchanged, 1)
    const warned = set.events.filter((event) => event.type === 'warning').map((event) => event.message)
    assert.deepEqual(warned, [`metadata.namespace ${c.namespace} is ignored: PriorityClass is not namespaced`])
  }),
  contractCase('the scope of a kind that the set brings is taken from its CRD', async (c) => {
    const { crd, gadget } = gadgets(c, 'Cluster')
    const set = await told(c, [crd, gadget('global')])
    assert.equal(set.error, undefined, set.error?.message)
    assert.equal((await stored(c, gadget('global'))).metadata.namespace, undefined)
  }),
  contractCase('a set that defines an object twice is refused before anything is written', async (c) => {
    const explicit = inCase(c, settings('twin'))
    const set = await told(c, [settings('twin'), explicit, settings('other')])
    assert.equal(set.error?.code, 'object.duplicate')
    assert.equal(await getObject(c.cluster, refOf(explicit), c.ctx), undefined)
  }),
  contractCase('a kind that nobody serves fails by name, beside every other failure', async (c) => {
    const unknown = { apiVersion: 'nobody.example.com/v1', kind: 'Mystery', metadata: { name: 'x' } }
    const set = await told(c, [unknown, settings('fine'), settings('broken', { a: { not: 'text' } })])
    assert.equal(set.error?.code, 'apply.failed')
    assert.deepEqual(failures(set.error?.details), ['x kube.unknown-kind', 'broken kube.bad-request'])
    assert.equal(await getObject(c.cluster, refOf(inCase(c, settings('fine'))), c.ctx), undefined)
  }),
]

const policyCases: readonly ContractCase[] = [
  contractCase('replicas are left to an autoscaler of the set', async (c) => {
    const web = { ...deployment(c, { replicas: 3 }), metadata: { name: 'web' } }
    const scaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9 },
    }
    const first = await told(c, [web, scaler])
    assert.ok(first.events.some((event) => event.type === 'warning' && event.message.includes('spec.replicas')))
    await patchObject(
      c.cluster,
      refOf(inCase(c, web)),
      { spec: { replicas: 7 } },
      { type: 'merge', subresource: 'scale' },
      c.ctx,
    )
    const second = await told(c, [web, scaler])
    assert.equal(second.error, undefined, second.error?.message)
    assert.equal(at(await stored(c, inCase(c, web)), 'spec', 'replicas'), 7)
  }),
  contractCase('warnings of the server come as events of their object', async (c) => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'warned', annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } },
      spec: {
        serviceAccountName: 'runner',
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: -1,
        containers: [{ name: 'app', image: 'registry.invalid/app:1' }],
      },
    }
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner' } }
    const set = await told(c, [account, pod])
    assert.equal(set.error, undefined, set.error?.message)
    const warned = set.events.flatMap((event) => (event.type === 'warning' ? [event.ref?.name] : []))
    assert.ok(warned.length > 0 && warned.every((name) => name === 'warned'), JSON.stringify(set.events))
  }),
  contractCase('a conflict fails the set before it writes, with the conflict as data', async (c) => {
    await apply(c, inCase(c, settings('owned')), { fieldManager: 'other' })
    const set = await told(c, [settings('owned', { a: '2' }), settings('beside')])
    assert.deepEqual(failures(set.error?.details), ['owned kube.field-conflict'])
    const conflict = at(set.error?.details, 'failures', 0, 'details', 'conflicts', 0)
    assert.deepEqual([at(conflict, 'manager'), at(conflict, 'path')], ['other', '.data.a'])
    assert.equal(await getObject(c.cluster, refOf(inCase(c, settings('beside'))), c.ctx), undefined)
  }),
  contractCase('a policy applies to the whole set, and what it took is told', async (c) => {
    await apply(c, inCase(c, settings('owned')), { fieldManager: 'other' })
    const set = await told(c, [settings('owned', { a: '2' })], { conflicts: 'force' })
    assert.equal(set.result?.summary.configured, 1)
    const warned = set.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
    assert.deepEqual(warned, ['took .data.a over from other'])
  }),
]

/** Sets: staged, ordered and checked as a whole. */
export const setCases: readonly ContractCase[] = [
  ...orderCases,
  ...scopeCases,
  ...policyCases,
  ...failureAndDryRunCases,
]

function priorityClass(c: CaseContext): KubeObject {
  const object = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: c.unique },
    value: 7,
  }
  c.cleanUp(object)
  return object
}

function admission(c: CaseContext, kind: string, spec: object): KubeObject {
  const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: c.unique }, spec }
  c.cleanUp(object)
  return object
}

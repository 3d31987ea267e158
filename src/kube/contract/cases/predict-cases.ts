import assert from 'node:assert/strict'
import type { KubeObject } from '../../../core/index.ts'
import { applyObject } from '../../apply/apply.ts'
import type { ApplySetOptions } from '../../set/apply-set.ts'
import type { Cluster } from '../../cluster.ts'
import { deployment } from '../fixtures/apply-fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'
import { failures, inCase, settings, told } from '../fixtures/set-fixtures.ts'

const rbac = 'rbac.authorization.k8s.io'

/** A dry run with few requests to the API server gives the same outcomes as one with a request for each object. */
export const askingCases: readonly ContractCase[] = [
  contractCase('few questions tell the same about a new set as one for each object', async (c) => {
    const asked = await sameAnswers(c, [...plain('1'), web(c, {})])
    assert.ok(asked <= 7, `${asked} questions`)
  }),
  contractCase('few questions tell the same about a changed set as one for each object', async (c) => {
    await told(c, [...plain('1'), web(c, { was: 'there' })])
    const asked = await sameAnswers(c, [...plain('2'), web(c, { now: 'here' })])
    assert.ok(asked <= 7, `${asked} questions`)
  }),
  contractCase('what is wrong is found with few questions too, in the words of the API server', async (c) => {
    await told(c, broken(false))
    await sameAnswers(c, [...plain('1'), ...broken(true)])
  }),
  contractCase('a field that another manager owns is asked about', async (c) => {
    await told(c, plain('1'))
    const theirs = inCase(c, settings('configmap-7', { key: 'theirs' }))
    await applyObject(c.cluster, theirs, { fieldManager: 'somebody', conflicts: 'force' }, c.ctx)
    await sameAnswers(c, plain('2'))
    const set = await told(c, plain('2'), { ask: 'unsure', dryRun: true })
    assert.deepEqual(failures(set.error?.details), ['configmap-7 kube.field-conflict'])
  }),
  contractCase('where a policy may have a say, every object is asked about', async (c) => {
    const policy: KubeObject = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: c.unique },
      spec: {
        // Nothing binds it, so that nobody else meets it.
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: ['configmaps'] }],
        },
        validations: [{ expression: 'true' }],
      },
    }
    c.cleanUp(policy)
    await applyObject(c.cluster, policy, {}, c.ctx)
    const { cluster, asked } = counting(c.cluster)
    const configs = Array.from({ length: 24 }, (_, at) => settings(`config-${at}`))
    await told(c, configs, { ask: 'unsure', dryRun: true }, cluster)
    assert.equal(asked(), 24)
  }),
  contractCase('what an identity may not write is refused for every object, with few questions too', async (c) => {
    const configs = Array.from({ length: 24 }, (_, at) => settings(`config-${at}`))
    const set = await told(c, configs, { ask: 'unsure', dryRun: true, onError: 'continue' }, c.unprivileged)
    assert.equal(set.result?.summary.failed, 24)
  }),
  contractCase('a namespace that is not there refuses every object, with few questions too', async (c) => {
    const namespace = `${c.unique}-none`
    const configs = Array.from({ length: 24 }, (_, at) => settings(`config-${at}`))
    const set = await told(c, configs, { ask: 'unsure', dryRun: true, onError: 'continue', namespace })
    assert.equal(set.result?.summary.failed, 24)
  }),
]

/** Rehearses a set in both ways, compares everything that was told, and gives how many objects the shorter way asked about. */
async function sameAnswers(c: CaseContext, objects: readonly KubeObject[]): Promise<number> {
  const { cluster, asked } = counting(c.cluster)
  const answers = async (ask: ApplySetOptions['ask']): Promise<unknown[]> => {
    const set = await told(c, objects, { dryRun: true, onError: 'continue', ...(ask && { ask }) }, cluster)
    assert.equal(set.result?.objects.length, objects.length)
    return set.result.objects
      .map(({ ref, action, object, error }) => ({
        ref,
        action,
        error: error?.message,
        // Who owns what, and what is given out anew each time, is not predicted; nor are the defaults of what is new.
        ...(action === 'configured' && { object: { ...object, metadata: { ...object?.metadata, managedFields: [] } } }),
      }))
      .toSorted((a, b) => `${a.ref.kind}${a.ref.name}`.localeCompare(`${b.ref.kind}${b.ref.name}`))
  }
  const all = await answers('all')
  const before = asked()
  assert.deepEqual(await answers('unsure'), all)
  return asked() - before
}

function counting(real: Cluster): { cluster: Cluster; asked: () => number } {
  let count = 0
  const { transport } = real
  return {
    cluster: {
      discovery: real.discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        request: (request, ctx) => {
          if (request.method === 'PATCH') count++
          return transport.request(request, ctx)
        },
        stream: (request, ctx) => transport.stream(request, ctx),
        close: () => transport.close(),
      },
    },
    asked: () => count,
  }
}

/** Objects of the kinds that can be told; the two revisions differ in each, by what is added, changed and removed. */
function plain(revision: '1' | '2'): KubeObject[] {
  const labels: Record<string, string> = revision === '1' ? { revision, old: 'x' } : { revision, new: 'y' }
  const kinds: readonly ((name: string) => KubeObject)[] = [
    () => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: '' },
      data: { key: revision, [`only-${revision}`]: 'x' },
    }),
    () => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: '' }, stringData: { key: revision, same: 'x' } }),
    () => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: '' },
      automountServiceAccountToken: revision === '1',
    }),
    (name) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: '' },
      spec: { clusterIP: 'None', selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 'web' }] },
    }),
    () => ({
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: { name: '' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: revision === '1' ? ['get'] : ['get', 'list'] }],
    }),
    () => ({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: '' },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'role-0' },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: `team-${revision}` }],
    }),
  ]
  return Array.from({ length: 60 }, (_, at) => {
    const make = kinds[at % kinds.length] as (name: string) => KubeObject
    const object = make(`object-${at}`)
    const name = `${object.kind.toLowerCase()}-${Math.floor(at / kinds.length)}`
    return { ...object, metadata: { name, labels, annotations: { revision } } }
  })
}

function web(c: CaseContext, annotations: Record<string, string>): KubeObject {
  const object = deployment(c)
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** Objects that are wrong in one way each; without `wrong` those of them that have to be there to be refused a change. */
function broken(wrong: boolean): KubeObject[] {
  const config = (name: string, more: object): KubeObject => ({ ...settings(name), ...more })
  const sealed = (value: string): KubeObject => config('sealed', { immutable: true, data: { a: value } })
  const binding = (role: string): KubeObject => ({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'bound' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: role },
    subjects: [],
  })
  const secret = (name: string, more: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    ...more,
  })
  const service = (name: string, ports: object[]): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports },
  })
  if (!wrong) return [sealed('1'), binding('one'), secret('typed', { type: 'Opaque', data: {} })]
  const role = (name: string, rule: object): KubeObject => ({
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name },
    rules: [rule],
  })
  return [
    sealed('2'),
    binding('two'),
    secret('typed', { type: 'example.com/other', data: {} }),
    config('Upper_Case', {}),
    config('bad-key', { data: { 'a b': '1' } }),
    config('dots', { data: { '..a': '1' } }),
    config('unknown-field', { nonsense: 1 }),
    config('wrong-type', { data: { a: 1 } }),
    config('large', { data: { a: 'x'.repeat(1_100_000) } }),
    config('bad-label', { metadata: { name: 'bad-label', labels: { a: 'not valid!' } } }),
    config('bad-label-name', { metadata: { name: 'bad-label-name', labels: { 'a/b/c': 'x' } } }),
    config('bad-annotation', { metadata: { name: 'bad-annotation', annotations: { 'no name/': 'x' } } }),
    secret('no-base64', { data: { a: 'not base64!' } }),
    secret('tls', { type: 'kubernetes.io/tls', data: { a: 'eA==' } }),
    service('UPPER', [{ port: 80 }]),
    service('1-digit-first', [{ port: 80 }]),
    service('port-zero', [{ port: 0 }]),
    service('unnamed', [{ port: 80 }, { port: 81 }]),
    service('same-name', [
      { name: 'a', port: 80 },
      { name: 'a', port: 81 },
    ]),
    role('no-verbs', { apiGroups: [''], resources: ['pods'], verbs: [] }),
    role('no-groups', { resources: ['pods'], verbs: ['get'] }),
    role('per/cent', { apiGroups: [''], resources: ['pods'], verbs: ['get'] }),
  ]
}

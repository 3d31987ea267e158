import assert from 'node:assert/strict'
import type { KubeObject } from '../../../core/index.ts'
import { refOf } from '../../../core/index.ts'
import { applyObject } from '../../apply/apply.ts'
import { createObject } from '../../apply/create.ts'
import { patchObject } from '../../apply/patch.ts'
import { objectPath, resolveResource } from '../../discovery/paths.ts'
import { watchObjects } from '../../watch/watch.ts'
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
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

type Change = (c: CaseContext) => { before: KubeObject; after: KubeObject }

/** Changes that the server refuses only because the object exists, with the field that it names. */
const immutableChanges: readonly { what: string; field: string | undefined; told?: string; change: Change }[] = [
  {
    what: 'the selector of a Deployment',
    field: 'spec.selector',
    change: (c) => ({ before: deployment(c), after: otherSelector(c) }),
  },
  {
    what: 'the template of a Job',
    field: 'spec.template',
    change: (c) => ({ before: job(c, 'a'), after: job(c, 'b') }),
  },
  {
    what: 'the address of a Service',
    field: 'spec.clusterIPs[0]',
    change: (c) => ({
      before: service(c, {}),
      after: service(c, { clusterIP: 'None' }),
    }),
  },
  {
    what: 'the data of an immutable ConfigMap',
    field: 'data',
    change: (c) => ({
      before: configMap(c, { a: '1' }, { immutable: true }),
      after: configMap(c, { a: '2' }, { immutable: true }),
    }),
  },
  {
    what: 'the data of an immutable Secret',
    field: 'data',
    change: (c) => ({ before: secret(c, '1'), after: secret(c, '2') }),
  },
  {
    what: 'the role of a RoleBinding',
    field: 'roleRef',
    change: (c) => ({ before: binding(c, 'view'), after: binding(c, 'edit') }),
  },
  {
    what: 'the volume claims of a StatefulSet',
    field: 'spec',
    told: 'fields other than',
    change: (c) => ({ before: statefulSet(c, '1Gi'), after: statefulSet(c, '2Gi') }),
  },
]

const matrix = immutableChanges.flatMap(({ what, field, told = '', change }) => [
  contractCase(`${what} cannot change, and the object stays`, async (c) => {
    const { before, after } = change(c)
    const { object } = await apply(c, before)
    const error = await failure(apply(c, after), 'kube.immutable')
    const { fields } = error.details
    assert.ok(fields.includes(field ?? ''), `fields: ${fields.join(', ')}`)
    assert.ok(error.message.includes(told), error.message)
    assert.equal((await stored(c, after)).metadata.uid, object.metadata.uid)
  }),
  contractCase(`${what} changes by replacement when that is allowed`, async (c) => {
    const { before, after } = change(c)
    const { object } = await apply(c, before)
    const replaced = await apply(c, after, { replace: true })
    assert.equal(replaced.action, 'replaced')
    assert.notEqual(replaced.object.metadata.uid, object.metadata.uid)
    assert.equal((await stored(c, after)).metadata.uid, replaced.object.metadata.uid)
    assert.equal((await apply(c, after)).action, 'unchanged')
  }),
])

/** Immutable fields and replacement. */
export const replaceCases: readonly ContractCase[] = [
  ...matrix,
  contractCase('a transition rule of a custom resource counts as immutable, another rule does not', async (c) => {
    const apiVersion = await widgetKind(c, {
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
            colour: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != "mauve"' }] },
          },
        },
      },
    })
    const widget = (spec: object): KubeObject => objectIn(c, apiVersion, 'Widget', 'w', { spec })
    const { object } = await apply(c, widget({ size: 1, colour: 'red' }))
    const error = await failure(apply(c, widget({ size: 2, colour: 'red' })), 'kube.immutable')
    assert.deepEqual(error.details.fields, ['spec.size'])
    await failure(apply(c, widget({ size: 1, colour: 'mauve' }), { replace: true }), 'kube.invalid')
    await failure(apply(c, widget({ size: 2, colour: 'mauve' }), { replace: true }), 'kube.invalid')
    assert.equal((await stored(c, object)).metadata.uid, object.metadata.uid)
    assert.equal((await apply(c, widget({ size: 2, colour: 'red' }), { replace: true })).action, 'replaced')
  }),
  contractCase('a plain validation error never deletes, whatever is allowed', async (c) => {
    const { object } = await apply(c, deployment(c))
    const invalid = deployment(c, { minReadySeconds: -1 })
    const error = await failure(apply(c, invalid, { replace: { allow: 'all' } }), 'kube.invalid')
    assert.match(JSON.stringify(error.details.causes), /spec\.minReadySeconds/)
    assert.equal((await stored(c, object)).metadata.uid, object.metadata.uid)
  }),
  contractCase('an object that is invalid besides an immutable change is not deleted', async (c) => {
    const { object } = await apply(c, deployment(c))
    const after = otherSelector(c)
    ;(after['spec'] as Record<string, unknown>)['minReadySeconds'] = -1
    await failure(apply(c, after, { replace: true }), 'kube.invalid')
    assert.equal((await stored(c, object)).metadata.uid, object.metadata.uid)
  }),
  contractCase('a smaller claim is immutable, and a claim is replaced only when its kind is named', async (c) => {
    const { object } = await apply(c, claim(c, '2Gi'))
    await failure(apply(c, claim(c, '1Gi'), { replace: true }), 'kube.immutable')
    await failure(apply(c, claim(c, '1Gi'), { replace: { allow: ['Deployment'] } }), 'kube.immutable')
    assert.equal((await stored(c, object)).metadata.uid, object.metadata.uid)
    const replaced = await apply(c, claim(c, '1Gi'), { replace: { allow: ['PersistentVolumeClaim'] } })
    assert.equal(replaced.action, 'replaced')
  }),
  contractCase('an object with a keep annotation is not replaced', async (c) => {
    const kept = configMap(c, { a: '1' }, { immutable: true })
    kept.metadata.annotations = { 'helm.sh/resource-policy': 'keep' }
    await apply(c, kept)
    const error = await failure(apply(c, { ...kept, data: { a: '2' } }, { replace: true }), 'kube.immutable')
    assert.match(error.message, /resource-policy/)
  }),
  contractCase('a dry-run says replaced and deletes nothing', async (c) => {
    const { object } = await apply(c, deployment(c))
    const { action, live } = await apply(c, otherSelector(c), { replace: true, dryRun: true })
    assert.equal(action, 'replaced')
    assert.equal(live?.metadata.uid, object.metadata.uid)
    assert.equal((await stored(c, object)).metadata.uid, object.metadata.uid)
    assert.equal((await stored(c, object)).metadata.deletionTimestamp, undefined)
  }),
  contractCase('a Service is replaced although its node port is taken by itself', async (c) => {
    const { object } = await apply(c, service(c, { type: 'NodePort' }))
    const nodePort = at(object, 'spec', 'ports', 0, 'nodePort')
    const ports = [{ name: 'web', port: 80, protocol: 'TCP', nodePort }]
    const clusterIP = otherAddress(String(at(object, 'spec', 'clusterIP')))
    const replaced = await apply(c, service(c, { type: 'NodePort', ports, clusterIP }), { replace: true })
    assert.equal(replaced.action, 'replaced')
    assert.equal(at(replaced.object, 'spec', 'ports', 0, 'nodePort'), nodePort)
  }),
  contractCase('an object that somebody put in place meanwhile is not deleted', async (c) => {
    await apply(c, configMap(c, { a: '1' }, { immutable: true }))
    let theirs: KubeObject | undefined
    const raced = beforeRequests(c.cluster, async ({ method }) => {
      if (method !== 'DELETE' || theirs !== undefined) return
      await remove(c, configMap(c, {}))
      theirs = await createObject(c.cluster, configMap(c, { b: 'theirs' }), {}, c.ctx)
    })
    const result = await applyObject(raced, configMap(c, { a: '2' }, { immutable: true }), { replace: true }, c.ctx)
    assert.equal(result.action, 'configured')
    assert.equal(result.object.metadata.uid, theirs?.metadata.uid)
    assert.deepEqual(result.object['data'], { a: '2', b: 'theirs' })
  }),
  contractCase('a replacement waits for the finalizers of the old object', async (c) => {
    const held = configMap(c, { a: '1' }, { immutable: true })
    held.metadata.finalizers = ['lading.test/hold']
    const { object } = await apply(c, held)
    const replacing = apply(c, configMap(c, { a: '2' }, { immutable: true }), { replace: true })
    const [{ action, object: replaced }] = await Promise.all([replacing, releaseOnceDeleted(c, object)])
    assert.equal(action, 'replaced')
    assert.notEqual(replaced.metadata.uid, object.metadata.uid)
    assert.deepEqual(replaced['data'], { a: '2' })
  }),
]

async function releaseOnceDeleted(c: CaseContext, { metadata }: KubeObject): Promise<void> {
  const query = { gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, namespace: c.namespace, name: metadata.name }
  for await (const event of watchObjects(c.cluster, query, c.ctx)) {
    if (!('object' in event) || event.object.metadata.deletionTimestamp === undefined) continue
    const free = { metadata: { finalizers: null } }
    await patchObject(c.cluster, refOf(event.object), free, { type: 'merge' }, c.ctx)
    return
  }
}

async function remove(c: CaseContext, object: KubeObject): Promise<void> {
  const path = objectPath(await resolveResource(c.cluster, refOf(object), c.ctx), refOf(object))
  await c.cluster.transport.request({ method: 'DELETE', path }, c.ctx)
}

function otherSelector(c: CaseContext): KubeObject {
  const labels = { app: 'web', tier: 'front' }
  const containers = [{ name: 'app', image: 'registry.invalid/app:1' }]
  return deployment(c, {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  })
}

function job(c: CaseContext, version: string): KubeObject {
  const containers = [{ name: 'work', image: `registry.invalid/work:${version}` }]
  const template = { spec: { restartPolicy: 'Never', containers } }
  return objectIn(c, 'batch/v1', 'Job', 'work', { spec: { suspend: true, template } })
}

function service(c: CaseContext, spec: object): KubeObject {
  return objectIn(c, 'v1', 'Service', 'web', { spec: { ports: [{ name: 'web', port: 80 }], ...spec } })
}

function secret(c: CaseContext, value: string): KubeObject {
  return objectIn(c, 'v1', 'Secret', 'key', { immutable: true, stringData: { value } })
}

function binding(c: CaseContext, name: string): KubeObject {
  return objectIn(c, 'rbac.authorization.k8s.io/v1', 'RoleBinding', 'readers', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'nobody' }],
  })
}

function claimSpec(storage: string): object {
  return { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage } } }
}

function claim(c: CaseContext, storage: string): KubeObject {
  return objectIn(c, 'v1', 'PersistentVolumeClaim', 'data', { spec: claimSpec(storage) })
}

function statefulSet(c: CaseContext, storage: string): KubeObject {
  return objectIn(c, 'apps/v1', 'StatefulSet', 'db', {
    spec: {
      replicas: 0,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: { containers: [{ name: 'db', image: 'registry.invalid/db:1' }] },
      },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec(storage) }],
    },
  })
}

/** Another address of the same range. */
function otherAddress(address: string): string {
  const parts = address.split('.').map(Number)
  return [...parts.slice(0, 3), ((parts[3] ?? 0) + 101) % 250].join('.')
}

import assert from 'node:assert/strict'
import type { KubeObject } from '../../../core/index.ts'
import { lastAppliedAnnotation, refOf, stringifyJson } from '../../../core/index.ts'
import { applyObject } from '../../apply/apply.ts'
import { createObject } from '../../apply/create.ts'
import { patchObject } from '../../apply/patch.ts'
import { apply, at, beforeRequests, configMap, deployment, failure, stored } from '../fixtures/apply-fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

/** Taking over what other tools applied. */
export const adoptCases: readonly ContractCase[] = [
  contractCase('what kubectl apply left is taken over, and a field that is left out goes', async (c) => {
    await kubectlApplied(c, { a: '1', b: '2' })
    await failure(apply(c, configMap(c, { a: 'new' })), 'kube.field-conflict')
    const { action, object, overridden } = await apply(c, configMap(c, { a: 'new' }), { adopt: ['kubectl'] })
    assert.equal(action, 'configured')
    assert.deepEqual(object['data'], { a: 'new' })
    assert.equal(object.metadata.annotations?.[lastAppliedAnnotation], undefined)
    assert.deepEqual(managersOf(object), ['lading'])
    assert.deepEqual(overridden, [])
  }),
  contractCase('without adoption a forced apply leaves what kubectl still owns', async (c) => {
    await kubectlApplied(c, { a: '1', b: '2' })
    const { object } = await apply(c, configMap(c, { a: 'new' }), { conflicts: 'force' })
    assert.deepEqual(object['data'], { a: 'new', b: '2' })
  }),
  contractCase('after an adoption a later removal is real', async (c) => {
    await kubectlApplied(c, { a: '1', b: '2' })
    await apply(c, configMap(c, { a: '1', b: '2' }), { adopt: ['kubectl'] })
    const { object } = await apply(c, configMap(c, { a: '1' }))
    assert.deepEqual(object['data'], { a: '1' })
  }),
  contractCase('a field that we apply beside kubectl goes once kubectl is adopted', async (c) => {
    await kubectlApplied(c, { a: '1', b: '2' })
    await apply(c, configMap(c, { a: '1', b: '2' }))
    const kept = await apply(c, configMap(c, { a: '1' }))
    assert.deepEqual(kept.object['data'], { a: '1', b: '2' })
    const { object } = await apply(c, configMap(c, { a: '1' }), { adopt: ['kubectl'] })
    assert.deepEqual(object['data'], { a: '1' })
  }),
  contractCase('what Helm 3 wrote by update is taken over', async (c) => {
    await createObject(c.cluster, helmOwned(c, { a: '1', b: '2' }), { fieldManager: 'helm' }, c.ctx)
    const { object } = await apply(c, configMap(c, { a: 'new' }), { adopt: ['kubectl', 'helm'] })
    assert.deepEqual(object['data'], { a: 'new' })
    assert.equal(object.metadata.annotations?.['meta.helm.sh/release-name'], undefined)
    assert.deepEqual(managersOf(object), ['lading'])
  }),
  contractCase('what Helm 4 applied is taken over', async (c) => {
    await apply(c, helmOwned(c, { a: '1', b: '2' }), { fieldManager: 'helm' })
    const { object } = await apply(c, configMap(c, { a: 'new' }), { adopt: ['helm'] })
    assert.deepEqual(object['data'], { a: 'new' })
    assert.deepEqual(managersOf(object), ['lading'])
  }),
  contractCase('what was not asked for is not adopted', async (c) => {
    await apply(c, helmOwned(c, { a: '1' }), { fieldManager: 'helm' })
    await failure(apply(c, configMap(c, { a: 'new' }), { adopt: ['kubectl'] }), 'kube.field-conflict')
  }),
  contractCase('what people edited stays theirs when kubectl apply is adopted', async (c) => {
    await kubectlApplied(c, { a: '1', b: '2' })
    const edit = { type: 'merge', fieldManager: 'kubectl-edit' } as const
    await patchObject(c.cluster, refOf(configMap(c, {})), { data: { b: 'edited' } }, edit, c.ctx)
    const desired = configMap(c, { a: '1', b: '2' })
    const error = await failure(apply(c, desired, { adopt: ['kubectl'] }), 'kube.field-conflict')
    assert.match(JSON.stringify(error.details.conflicts), /kubectl-edit/)
  }),
  contractCase('adoption writes once, and nothing where there is nothing to adopt', async (c) => {
    await kubectlApplied(c, { a: '1' })
    const methods: string[] = []
    const counted = beforeRequests(c.cluster, ({ method }) => void methods.push(method))
    const options = { adopt: ['kubectl', 'helm'] } as const
    await applyObject(counted, configMap(c, { a: '1' }), options, c.ctx)
    assert.deepEqual(methods.splice(0), ['GET', 'PATCH', 'PATCH'])
    const again = await applyObject(counted, configMap(c, { a: '1' }), options, c.ctx)
    assert.deepEqual([again.action, ...methods], ['unchanged', 'GET', 'PATCH'])
  }),
  contractCase('a dry-run shows what adoption would leave, and adopts nothing', async (c) => {
    const before = await kubectlApplied(c, { a: '1', b: '2' })
    const { action, object } = await apply(c, configMap(c, { a: 'new' }), { adopt: ['kubectl'], dryRun: true })
    assert.equal(action, 'configured')
    assert.deepEqual(object['data'], { a: 'new' })
    assert.equal(object.metadata.annotations?.[lastAppliedAnnotation], undefined)
    assert.deepEqual(await stored(c, before), before)
  }),
  contractCase('a dry-run of an adoption keeps the defaults that the real one keeps', async (c) => {
    await createObject(c.cluster, deployment(c, { paused: true, minReadySeconds: 3 }), kubectl, c.ctx)
    const dry = await apply(c, deployment(c, { paused: true }), { adopt: ['kubectl'], dryRun: true })
    const real = await apply(c, deployment(c, { paused: true }), { adopt: ['kubectl'] })
    assert.equal(at(real.object, 'spec', 'minReadySeconds'), undefined)
    assert.deepEqual(dry.object['spec'], real.object['spec'])
    assert.deepEqual([dry.action, real.action], ['configured', 'configured'])
  }),
  contractCase('what Helm 3 wrote is taken over by who applies under the name of Helm', async (c) => {
    await createObject(c.cluster, configMap(c, { a: '1', b: '2' }), { fieldManager: 'helm' }, c.ctx)
    const { object } = await apply(c, configMap(c, { a: 'new' }), { fieldManager: 'helm', adopt: ['helm'] })
    assert.deepEqual(object['data'], { a: 'new' })
    assert.equal(object.metadata.managedFields?.length, 1)
  }),
  contractCase('adoption starts over when the object changed since it was read', async (c) => {
    const stale = await kubectlApplied(c, { a: '1', b: '2' })
    const edit = { type: 'merge', fieldManager: 'somebody' } as const
    await patchObject(c.cluster, refOf(stale), { data: { z: 'late' } }, edit, c.ctx)
    const { object } = await apply(c, configMap(c, { a: 'new' }), { adopt: ['kubectl'], live: stale })
    assert.deepEqual(object['data'], { a: 'new', z: 'late' })
    assert.deepEqual(managersOf(object), ['lading', 'somebody'])
  }),
]

const kubectl = { fieldManager: 'kubectl-client-side-apply' }

/** Creates the ConfigMap with the manager and the annotation that `kubectl apply` gives it. */
async function kubectlApplied(c: CaseContext, data: Record<string, string>): Promise<KubeObject> {
  const object = configMap(c, data)
  object.metadata.annotations = { [lastAppliedAnnotation]: `${stringifyJson(object)}\n` }
  return await createObject(c.cluster, object, kubectl, c.ctx)
}

function helmOwned(c: CaseContext, data: Record<string, string>): KubeObject {
  const object = configMap(c, data)
  object.metadata.labels = { 'app.kubernetes.io/managed-by': 'Helm' }
  object.metadata.annotations = { 'meta.helm.sh/release-name': 'r', 'meta.helm.sh/release-namespace': c.namespace }
  return object
}

function managersOf(object: KubeObject): string[] {
  return (object.metadata.managedFields ?? []).map(({ manager }) => manager ?? '').sort()
}

import assert from 'node:assert/strict'
import { type KubeObject, refOf } from '../../../core/index.ts'
import { deleteObject } from '../../delete/delete.ts'
import { getObject } from '../../read/get.ts'
import { patchObject } from '../../apply/patch.ts'
import {
  apply,
  at,
  beforeRequests,
  configMap,
  deployment,
  failure,
  objectIn,
  stored,
} from '../fixtures/apply-fixtures.ts'
import { held, release, remove, terminating } from '../fixtures/delete-fixtures.ts'
import { deleteSetCases } from './delete-set-cases.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

const objectCases: readonly ContractCase[] = [
  contractCase('an object is deleted and gone', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }))
    assert.equal((await remove(c, object)).action, 'deleted')
    assert.equal(await getObject(c.cluster, refOf(object), c.ctx), undefined)
  }),
  contractCase('deleting what is not there succeeds', async (c) => {
    assert.deepEqual(await remove(c, configMap(c, {})), {
      ref: refOf(configMap(c, {})),
      action: 'unchanged',
      reason: 'it was gone already',
    })
  }),
  contractCase('deleting an object of a kind that is not served succeeds', async (c) => {
    const lost = objectIn(c, 'nobody.example.com/v1', 'Mystery', 'x')
    assert.equal((await remove(c, lost)).action, 'unchanged')
  }),
  contractCase('an object is found although the version it was applied in is not served any more', async (c) => {
    const { object } = await apply(c, deployment(c))
    const result = await remove(c, { ...object, apiVersion: 'apps/v1beta2' })
    assert.equal(result.action, 'deleted')
    assert.equal(await getObject(c.cluster, refOf(object), c.ctx), undefined)
  }),
  contractCase('another object that took the name is left alone', async (c) => {
    const first = (await apply(c, configMap(c, { a: '1' }))).object
    await remove(c, first)
    const second = (await apply(c, configMap(c, { a: '2' }))).object
    for (const keep of ['respect', 'ignore'] as const) {
      const result = await remove(c, first, { uid: uidOf(first), keep })
      assert.equal(result.action, 'skipped')
      assert.match(result.reason ?? '', /another object has taken its name/)
    }
    assert.equal((await stored(c, second)).metadata.uid, second.metadata.uid)
    assert.equal((await remove(c, second, { uid: uidOf(second) })).action, 'deleted')
  }),
  contractCase('an object that changed since is not deleted when its version is given', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }))
    await apply(c, configMap(c, { a: '2' }))
    const { resourceVersion = '' } = object.metadata
    for (const keep of ['respect', 'ignore'] as const) {
      await failure(remove(c, object, { resourceVersion, keep }), 'kube.conflict')
    }
    await stored(c, object)
  }),
  contractCase('an object of somebody else is left alone, and why is told', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }))
    const result = await remove(c, object, { owner: { labels: { owner: 'me' } } })
    assert.deepEqual([result.action, result.code], ['skipped', 'delete.not-owned'])
    assert.equal(result.reason, 'not owned: label owner is missing, expected me')
    await stored(c, object)
  }),
  contractCase('an object that changes hands between look and delete is left alone', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }, labelled(c, { owner: 'me' })))
    let changed = false
    const racing = beforeRequests(c.cluster, async ({ method }) => {
      if (method !== 'DELETE' || changed) return
      changed = true
      await patchObject(c.cluster, refOf(object), { metadata: { labels: { owner: 'you' } } }, { type: 'merge' }, c.ctx)
    })
    const result = await deleteObject(racing, refOf(object), { owner: { labels: { owner: 'me' } } }, c.ctx)
    assert.equal(result.reason, 'not owned: label owner is you, expected me')
    await stored(c, object)
  }),
  contractCase('an object that asks to be kept is kept by default', async (c) => {
    const annotations = { 'helm.sh/resource-policy': 'keep' }
    const metadata = { name: 'settings', namespace: c.namespace, annotations }
    const { object } = await apply(c, configMap(c, { a: '1' }, { metadata }))
    const kept = await remove(c, object)
    assert.deepEqual([kept.action, kept.reason], ['skipped', 'kept by its annotation helm.sh/resource-policy: keep'])
    assert.equal((await remove(c, object, { keep: 'ignore' })).action, 'deleted')
  }),
  contractCase('a dry-run deletes nothing', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }))
    assert.equal((await remove(c, object, { dryRun: true })).action, 'deleted')
    await stored(c, object)
  }),
  contractCase('dependents are orphaned or go first, as the propagation policy says', async (c) => {
    const owner = (await apply(c, configMap(c, { a: '1' }))).object
    const orphan = await dependentOf(c, owner, 'orphan')
    assert.equal((await remove(c, owner, { propagation: 'Orphan' })).action, 'deleted')
    assert.equal((await stored(c, orphan)).metadata.ownerReferences, undefined)

    const second = (await apply(c, configMap(c, { a: '1' }))).object
    const dependent = await dependentOf(c, second, 'dependent')
    assert.equal((await remove(c, second, { propagation: 'Foreground' })).action, 'deleted')
    assert.equal(await getObject(c.cluster, refOf(dependent), c.ctx), undefined)
  }),
  contractCase('an object that is held names its finalizers when time is over', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }, held(c)))
    const error = await failure(remove(c, object, { timeoutMs: 3000 }), 'delete.timeout')
    assert.deepEqual(at(error.details, 'waitingFor', 0, 'finalizers'), ['lading.example.com/hold'])
    assert.match(error.message, /waiting for finalizers lading\.example\.com\/hold/)
    await release(c, object)
  }),
  contractCase('deleting waits until the last finalizer is gone', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }, held(c)))
    const done = remove(c, object)
    await terminating(c, object)
    await release(c, object)
    assert.equal((await done).action, 'deleted')
    assert.equal(await getObject(c.cluster, refOf(object), c.ctx), undefined)
  }),
  contractCase('without waiting, deleting ends when the server has taken it on', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }, held(c)))
    assert.equal((await remove(c, object, { wait: false })).action, 'deleted')
    assert.notEqual((await stored(c, object)).metadata.deletionTimestamp, undefined)
    await release(c, object)
  }),
]

/** Deleting: what may go goes, in order and to the end; what may not is left with a reason. */
export const deleteCases: readonly ContractCase[] = [...objectCases, ...deleteSetCases]

function labelled(c: CaseContext, labels: Record<string, string>): object {
  return { metadata: { name: 'settings', namespace: c.namespace, labels } }
}

async function dependentOf(c: CaseContext, owner: KubeObject, name: string): Promise<KubeObject> {
  const reference = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.metadata.name,
    uid: uidOf(owner),
    blockOwnerDeletion: true,
  }
  const metadata = { name, namespace: c.namespace, ownerReferences: [reference] }
  return (await apply(c, { apiVersion: 'v1', kind: 'Secret', metadata })).object
}

function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? ''
}

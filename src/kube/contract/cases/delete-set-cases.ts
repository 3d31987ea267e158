import assert from 'node:assert/strict'
import { type KubeObject, type LadingEvent, refOf } from '../../../core/index.ts'
import { deleteSet } from '../../delete/delete-set.ts'
import { getObject } from '../../read/get.ts'
import { patchObject } from '../../apply/patch.ts'
import { apply, at, beforeRequests, configMap, deployment, objectIn, stored } from '../fixtures/apply-fixtures.ts'
import { held, release, remove, terminating } from '../fixtures/delete-fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'
import { gadgets, outcomes, settings, stagesTold, told, toldDelete } from '../fixtures/set-fixtures.ts'

/** Deleting many objects as one. */
export const deleteSetCases: readonly ContractCase[] = [
  contractCase('a set is deleted in the reverse order of apply', async (c) => {
    const { crd, gadget } = gadgets(c)
    const web = { ...deployment(c), metadata: { name: 'web' } }
    const objects = (await told(c, [crd, gadget('one'), settings('conf'), web])).result?.objects ?? []
    const gone = await toldDelete(
      c,
      objects.map(({ ref }) => ref),
    )
    assert.equal(gone.error, undefined, gone.error?.message)
    assert.deepEqual(stagesTold(gone), ['others', 'workloads', 'configuration', 'crds'])
    assert.deepEqual(outcomes(gone), ['one deleted', 'web deleted', 'conf deleted', `${crd.metadata.name} deleted`])
  }),
  contractCase('of a set only what is there, ours and not kept is deleted', async (c) => {
    const labels = { owner: 'me' }
    await told(c, [
      { ...settings('ours'), metadata: { name: 'ours', labels } },
      {
        ...settings('kept'),
        metadata: { name: 'kept', labels, annotations: { 'sherpack.io/resource-policy': 'keep' } },
      },
      settings('foreign'),
    ])
    const targets = ['ours', 'kept', 'foreign', 'absent'].map((name) => refOf(objectIn(c, 'v1', 'ConfigMap', name)))
    const gone = await toldDelete(c, targets, { owner: { labels } })
    assert.deepEqual(outcomes(gone).toSorted(), ['absent unchanged', 'foreign skipped', 'kept skipped', 'ours deleted'])
    const { deleted, skipped, unchanged } = gone.result?.summary ?? {}
    assert.deepEqual({ deleted, skipped, unchanged }, { deleted: 1, skipped: 2, unchanged: 1 })
  }),
  contractCase('a set leaves objects alone whose uid is another one', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }))
    const gone = await toldDelete(c, [{ ...refOf(object), uid: '00000000-0000-0000-0000-000000000000' }])
    assert.deepEqual(outcomes(gone), ['settings skipped'])
    await stored(c, object)
  }),
  contractCase('a set tells what it waits for, and goes on when it is released', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }, held(c)))
    const events: LadingEvent[] = []
    for await (const event of deleteSet(c.cluster, [refOf(object)], {}, c.ctx)) {
      events.push(event)
      if (event.type !== 'status') continue
      assert.deepEqual([event.status, event.message], ['Terminating', 'waiting for finalizers lading.example.com/hold'])
      await release(c, object)
    }
    assert.deepEqual(
      events.map((event) => event.type),
      ['stage-started', 'status', 'object', 'stage-finished'],
    )
  }),
  contractCase('a set that is held deletes nothing of the stages after', async (c) => {
    const web = (await apply(c, deployment(c, {}))).object
    await patchObject(
      c.cluster,
      refOf(web),
      { metadata: { finalizers: ['lading.example.com/hold'] } },
      { type: 'merge' },
      c.ctx,
    )
    const conf = (await apply(c, configMap(c, { a: '1' }))).object
    const gone = await toldDelete(c, [refOf(conf), refOf(web)], { timeoutMs: 3000 })
    assert.equal(gone.error?.code, 'delete.timeout')
    assert.deepEqual(at(gone.error?.details, 'waitingFor', 0, 'finalizers'), ['lading.example.com/hold'])
    assert.deepEqual(outcomes(gone), ['web failed', 'settings skipped'])
    await stored(c, conf)
    await release(c, web)
  }),
  contractCase('a namespace goes with its content, and one that hangs says why', async (c) => {
    const { space, inside } = await heldNamespace(c)
    const told: string[] = []
    for await (const event of deleteSet(c.cluster, [refOf(space)], { timeoutMs: 60_000 }, c.ctx)) {
      if (event.type !== 'status') continue
      told.push(event.message)
      if (!event.message.includes('NamespaceFinalizersRemaining')) continue
      assert.match(event.message, /lading\.example\.com\/hold/)
      await release(c, inside)
    }
    assert.ok(
      told.some((message) => message.includes('NamespaceContentRemaining')),
      told.join('\n'),
    )
    assert.equal(await getObject(c.cluster, refOf(space), c.ctx), undefined)
  }),
  contractCase('deleting a namespace that is terminating already waits for it', async (c) => {
    const { space, inside } = await heldNamespace(c)
    await remove(c, space, { wait: false })
    await terminating(c, inside)
    const told: string[] = []
    for await (const event of deleteSet(c.cluster, [refOf(space)], { timeoutMs: 60_000 }, c.ctx)) {
      if (event.type === 'object') told.push(event.action)
      // Whoever waits has asked before; only then may it go.
      if (event.type === 'status' && told.length === 0) {
        told.push(event.status)
        await release(c, inside)
      }
    }
    assert.deepEqual(told, ['Terminating', 'deleted'])
    assert.equal(await getObject(c.cluster, refOf(space), c.ctx), undefined)
  }),
  contractCase('many objects are looked at by one list and deleted one request each', async (c) => {
    await told(
      c,
      Array.from({ length: 40 }, (_, index) => settings(`many-${index}`)),
    )
    const methods: string[] = []
    const counted = beforeRequests(c.cluster, ({ method }) => void methods.push(method))
    const targets = Array.from({ length: 40 }, (_, index) => refOf(objectIn(c, 'v1', 'ConfigMap', `many-${index}`)))
    const gone = await toldDelete(c, targets, {}, counted)
    assert.equal(gone.result?.summary.deleted, 40)
    assert.deepEqual(
      [methods.filter((method) => method === 'GET').length, methods.filter((method) => method === 'DELETE').length],
      [1, 40],
    )
  }),
  contractCase('without the right to delete, a set names each refusal', async (c) => {
    const { object } = await apply(c, configMap(c, { a: '1' }))
    const gone = await toldDelete(c, [refOf(object)], { keep: 'ignore' }, c.unprivileged)
    assert.equal(gone.error?.code, 'delete.failed')
    assert.equal(at(gone.error?.details, 'failures', 0, 'code'), 'kube.forbidden')
    await stored(c, object)
  }),
]

/** A namespace with an object in it that a finalizer holds. */
async function heldNamespace(c: CaseContext): Promise<{ space: KubeObject; inside: KubeObject }> {
  const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${c.unique}-gone` } }
  c.cleanUp(space)
  await apply(c, space)
  const metadata = { name: 'inside', namespace: space.metadata.name, finalizers: ['lading.example.com/hold'] }
  const inside = { ...configMap(c, {}), metadata }
  await apply(c, inside)
  return { space, inside }
}

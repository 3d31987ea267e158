import assert from 'node:assert/strict'
import type { Context, KubeObject } from '../../../core/index.ts'
import { type Informer, type InformerEvent, startInformer } from '../../watch/informer.ts'
import { listObjects } from '../../read/list.ts'
import { patchObject } from '../../apply/patch.ts'
import { updateObject } from '../../apply/update.ts'
import { type WatchEvent, watchObjects, type WatchQuery } from '../../watch/watch.ts'
import {
  configMap,
  configMapRef,
  configMaps,
  create,
  installWidgets,
  remove,
  removeConfigMap,
} from '../fixtures/fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

/** Watches and informers. */
export const watchCases: readonly ContractCase[] = [
  contractCase('watch tells what exists, then every change in order', async (c) => {
    await create(c, configMap(c, 'a', { key: '1' }))
    const watch = open(c, own(c))
    assert.deepEqual(await watch.next(2), ['added a', 'synced'])
    await updateObject(c.cluster, configMap(c, 'a', { key: '2' }), {}, c.ctx)
    await create(c, configMap(c, 'b'))
    await removeConfigMap(c, 'a')
    assert.deepEqual(await watch.next(3), ['modified a', 'added b', 'deleted a'])
    assert.deepEqual(watch.objects[1]?.['data'], { key: '2' })
    assert.ok(watch.objects.every((object) => object.apiVersion === 'v1' && object.kind === 'ConfigMap'))
  }),
  contractCase('watch follows one object by its name', async (c) => {
    const watch = open(c, { ...own(c), name: 'b' })
    assert.deepEqual(await watch.next(1), ['synced'])
    for (const name of ['a', 'b', 'c']) await create(c, configMap(c, name))
    await removeConfigMap(c, 'a')
    await removeConfigMap(c, 'b')
    assert.deepEqual(await watch.next(2), ['added b', 'deleted b'])
  }),
  contractCase('watch tells an object that leaves the selection as deleted, one that enters as added', async (c) => {
    const watch = open(c, { ...own(c), labelSelector: 'tier=front' })
    await watch.next(1)
    await create(c, configMap(c, 'a'))
    const label = (tier: string | null): Promise<KubeObject> =>
      patchObject(c.cluster, configMapRef(c, 'a'), { metadata: { labels: { tier } } }, { type: 'merge' }, c.ctx)
    await label('front')
    await label('back')
    assert.deepEqual(await watch.next(2), ['added a', 'deleted a'])
  }),
  contractCase('watch tells what happened since a list was taken, and nothing of the list', async (c) => {
    await create(c, configMap(c, 'a'))
    await create(c, configMap(c, 'b'))
    const from = await listObjects(c.cluster, own(c), c.ctx)
    await removeConfigMap(c, 'b')
    await create(c, configMap(c, 'c'))
    assert.deepEqual(await open(c, { ...own(c), from }).next(2), ['deleted b', 'added c'])
  }),
  contractCase('watch gets a bookmark, and goes on after the server has ended the connection', async (c) => {
    const watch = open(c, { ...own(c), name: 'a', timeoutSeconds: 4 })
    assert.deepEqual(await watch.next(1), ['synced'])
    for (const other of ['x', 'y']) {
      // A server has something to bookmark only after an event that this watch does not see; it does so before it ends
      // the connection, so the second bookmark comes from a second one.
      await create(c, configMap(c, other))
      assert.deepEqual(await watch.next(1), ['bookmark'])
    }
    await create(c, configMap(c, 'a'))
    assert.deepEqual(await watch.next(1), ['added a'])
  }),
  contractCase('watch from forgotten history tells the difference, deletions included', async (c) => {
    const widgets = await installWidgets(c)
    const gone = await create(c, widgets.object('gone'))
    const kept = await create(c, widgets.object('kept'))
    await remove(c, gone, widgets.path)
    await create(c, widgets.object('new'))
    // No server remembers the time before the kind was there.
    const from = { items: [gone, kept], resourceVersion: '1' }
    const watch = open(c, { gvk: widgets, namespace: c.namespace, from })
    assert.deepEqual(await watch.next(3), ['deleted gone', 'added new', 'relisted'])
    await create(c, widgets.object('later'))
    assert.deepEqual(await watch.next(1), ['added later'])
  }),
  contractCase('watch can follow metadata alone, under the objects’ own kind', async (c) => {
    const watch = open(c, { ...own(c), metadataOnly: true })
    await watch.next(1)
    await create(c, configMap(c, 'a', { key: 'value' }))
    await watch.next(1)
    assert.equal(watch.objects[0]?.kind, 'ConfigMap')
    assert.equal(watch.objects[0].apiVersion, 'v1')
    assert.equal('data' in watch.objects[0], false)
  }),
  contractCase('watch of all namespaces sees this one', async (c) => {
    const watch = open(c, { gvk: configMaps, name: c.unique })
    await watch.next(1)
    await create(c, configMap(c, c.unique))
    await watch.next(1)
    assert.equal(watch.objects[0]?.metadata.namespace, c.namespace)
  }),
  contractCase('watch of cluster-scoped objects tells them', async (c) => {
    const watch = open(c, { gvk: { group: '', version: 'v1', kind: 'Namespace' }, name: c.namespace })
    assert.deepEqual(await watch.next(2), [`added ${c.namespace}`, 'synced'])
  }),
  contractCase('watch without the right to is forbidden, be it the list or the watch', async (c) => {
    await assert.rejects(open(c, own(c), c.unprivileged).next(1), { code: 'kube.forbidden' })
    const from = { items: [], resourceVersion: '0' }
    await assert.rejects(open(c, { ...own(c), from }, c.unprivileged).next(1), { code: 'kube.forbidden' })
  }),
  contractCase('watch ends at once when it is aborted', async (c) => {
    const stop = new AbortController()
    const signal = AbortSignal.any([c.ctx.signal, stop.signal])
    const watch = open(c, own(c), c.cluster, { ...c.ctx, signal })
    await watch.next(1)
    const next = watch.next(1)
    stop.abort()
    await assert.rejects(next, { code: 'cancelled' })
  }),
  contractCase('watch brings a thousand changes, none lost', async (c) => {
    const watch = open(c, own(c))
    await watch.next(1)
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}`)
    const writing = inTurn(names, 16, (name) => create(c, configMap(c, name)))
    const told = await watch.next(1000)
    await writing
    assert.deepEqual(
      told.filter((each) => each !== 'bookmark').toSorted(),
      names.map((name) => `added ${name}`).toSorted(),
    )
  }),

  contractCase('an informer holds what exists and follows it', async (c) => {
    await create(c, configMap(c, 'b', { key: '1' }))
    await create(c, configMap(c, 'a'))
    const informer = startInformer(c.cluster, own(c), c.ctx)
    await informer.synced
    assert.deepEqual(
      informer.list().map((object) => object.metadata.name),
      ['a', 'b'],
    )
    const ref = configMapRef(c, 'b')
    assert.deepEqual(informer.get(ref)?.['data'], { key: '1' })
    assert.equal(informer.get(ref)?.metadata.managedFields, undefined)

    const seen = nextEvents(informer, 3)
    await updateObject(c.cluster, configMap(c, 'b', { key: '2' }), {}, c.ctx)
    await create(c, configMap(c, 'c'))
    await removeConfigMap(c, 'a')
    const events = await seen
    assert.deepEqual(
      events.map(({ type, object }) => `${type} ${object.metadata.name}`),
      ['modified b', 'added c', 'deleted a'],
    )
    assert.deepEqual(events[0]?.previous?.['data'], { key: '1' })
    assert.deepEqual(
      informer.list(c.namespace).map((object) => object.metadata.name),
      ['b', 'c'],
    )
    assert.deepEqual(informer.list('elsewhere'), [])
    informer.close()
    assert.equal(await informer.ended, undefined)
  }),
  contractCase('an informer without rights says so', async (c) => {
    const informer = startInformer(c.unprivileged, own(c), c.ctx)
    await assert.rejects(informer.synced, { code: 'kube.forbidden' })
    assert.equal((await informer.ended)?.code, 'kube.forbidden')
  }),
]

/** The case's own ConfigMaps, without the one that every namespace of a full cluster has. */
function own(c: CaseContext): WatchQuery {
  return { gvk: configMaps, namespace: c.namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' }
}

function open(c: CaseContext, query: WatchQuery, cluster = c.cluster, ctx: Context = c.ctx) {
  const events = watchObjects(cluster, query, ctx)
  const objects: KubeObject[] = []
  return {
    objects,
    async next(count: number): Promise<string[]> {
      const told: string[] = []
      while (told.length < count) {
        const { value, done } = await events.next()
        if (done === true) break
        if ('object' in value) objects.push(value.object)
        // A bookmark may come at any time; only who waits for nothing else has asked for it.
        if (value.type !== 'bookmark' || query.timeoutSeconds !== undefined) told.push(short(value))
      }
      return told
    },
  }
}

function short(event: WatchEvent): string {
  return 'object' in event ? `${event.type} ${event.object.metadata.name}` : event.type
}

function nextEvents(informer: Informer, count: number): Promise<InformerEvent[]> {
  return new Promise((resolve) => {
    const events: InformerEvent[] = []
    const end = informer.subscribe((event) => {
      events.push(event)
      if (events.length < count) return
      end()
      resolve(events)
    })
  })
}

async function inTurn<T>(items: readonly T[], width: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

import assert from 'node:assert/strict'
import { formatApiVersion } from '../../../core/index.ts'
import { createDiscovery } from '../../discovery/discovery.ts'
import { getMetadata, getObject } from '../../read/get.ts'
import { listObjects, listPages } from '../../read/list.ts'
import type { Transport } from '../../transport/transport.ts'
import { configMap, configMapRef, configMaps, create, installWidgets, remove, widgetCrd } from '../fixtures/fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

/** Discovery, get and list. */
export const readCases: readonly ContractCase[] = [
  contractCase('discovery knows a built-in kind with its path, scope, verbs and subresources', async (c) => {
    const found = await c.cluster.discovery.find({ group: 'apps', version: 'v1', kind: 'Deployment' }, c.ctx)
    assert.equal(found?.resource, 'deployments')
    assert.equal(found.namespaced, true)
    for (const verb of ['get', 'list', 'watch', 'create', 'patch', 'delete'])
      assert.ok(found.verbs.includes(verb), verb)
    assert.ok(found.subresources.includes('status'))
    assert.ok(found.shortNames.includes('deploy'))
    const namespace = await c.cluster.discovery.find({ group: '', version: 'v1', kind: 'Namespace' }, c.ctx)
    assert.equal(namespace?.namespaced, false)
  }),
  contractCase('discovery takes two requests', async (c) => {
    const paths: string[] = []
    const transport = observed(c.cluster.transport, (path) => paths.push(path))
    const all = await createDiscovery(transport).all(c.ctx)
    assert.ok(all.length > 10)
    assert.deepEqual(paths.toSorted(), ['/api', '/apis'])
  }),
  contractCase('discovery is the same where it is not aggregated', async (c) => {
    const kinds = async (transport: Transport): Promise<string[]> =>
      (await createDiscovery(transport).all(c.ctx))
        .filter((one) => !one.group.endsWith('.example.com'))
        .map((one) => JSON.stringify({ ...one, subresources: one.subresources.toSorted() }))
        .toSorted()
    assert.deepEqual(await kinds(unaggregated(c.cluster.transport)), await kinds(c.cluster.transport))
  }),
  contractCase('discovery finds a kind without version in its preferred one', async (c) => {
    const found = await c.cluster.discovery.find({ group: 'apps', version: '', kind: 'Deployment' }, c.ctx)
    assert.equal(found?.version, 'v1')
  }),
  contractCase('discovery says that a kind is unknown', async (c) => {
    assert.equal(await c.cluster.discovery.find({ group: '', version: 'v1', kind: 'Nonesuch' }, c.ctx), undefined)
    assert.equal(await c.cluster.discovery.find({ group: 'apps', version: 'v0', kind: 'Deployment' }, c.ctx), undefined)
  }),
  contractCase('discovery finds a kind as soon as its CRD is established', async (c) => {
    const group = `${c.unique}.example.com`
    const gvk = { group, version: 'v1', kind: 'Widget' }
    assert.equal(await c.cluster.discovery.find(gvk, c.ctx), undefined)
    await installWidgets(c)
    const found = await c.cluster.discovery.find(gvk, c.ctx)
    assert.equal(found?.resource, 'widgets')
    assert.equal(found.namespaced, true)
    assert.deepEqual(found.shortNames, ['wdg'])
    assert.deepEqual(found.categories, ['toys'])
    assert.deepEqual(found.subresources, ['status'])
  }),
  contractCase('discovery is open to users without rights', async (c) => {
    const found = await c.unprivileged.discovery.find(configMaps, c.ctx)
    assert.equal(found?.resource, 'configmaps')
  }),

  contractCase('get reads what was created', async (c) => {
    const created = await create(c, configMap(c, 'a', { text: 'grün 🚀\nsecond line' }))
    assert.deepEqual(await getObject(c.cluster, configMapRef(c, 'a'), c.ctx), created)
  }),
  contractCase('get of a missing object is nothing, also in a missing namespace', async (c) => {
    assert.equal(await getObject(c.cluster, configMapRef(c, 'absent'), c.ctx), undefined)
    const elsewhere = { ...configMaps, namespace: `${c.unique}-absent`, name: 'absent' }
    assert.equal(await getObject(c.cluster, elsewhere, c.ctx), undefined)
  }),
  contractCase('get reads fields that Lading does not know, and integers past 2^53, exactly', async (c) => {
    const widgets = await installWidgets(c)
    const spec = { big: 9007199254740993n, nested: { list: [1, 'two', null, { three: 3.5 }], empty: {} } }
    await create(c, widgets.object('a', { spec }))
    const read = await getObject(c.cluster, widgets.ref('a'), c.ctx)
    assert.deepEqual(read?.['spec'], spec)
  }),
  contractCase('get can read metadata alone, under the object’s own kind', async (c) => {
    const created = await create(c, configMap(c, 'a', { key: 'value' }))
    const read = await getMetadata(c.cluster, configMapRef(c, 'a'), c.ctx)
    assert.equal(read?.kind, 'ConfigMap')
    assert.equal(read.apiVersion, 'v1')
    assert.equal(read.metadata.resourceVersion, created.metadata.resourceVersion)
    assert.equal('data' in read, false)
    assert.equal(await getMetadata(c.cluster, configMapRef(c, 'absent'), c.ctx), undefined)
  }),
  contractCase('get without the right to is forbidden', async (c) => {
    await assert.rejects(getObject(c.unprivileged, configMapRef(c, 'a'), c.ctx), { code: 'kube.forbidden' })
  }),
  contractCase('get of an unknown kind says so', async (c) => {
    const ref = { group: 'example.com', version: 'v1', kind: 'Nonesuch', name: 'a' }
    await assert.rejects(getObject(c.cluster, ref, c.ctx), { code: 'kube.unknown-kind' })
  }),
  contractCase('get of a namespaced object needs its namespace', async (c) => {
    await assert.rejects(getObject(c.cluster, { ...configMaps, name: 'a' }, c.ctx), { code: 'object.invalid' })
  }),
  contractCase('get reads cluster-scoped objects', async (c) => {
    const crd = widgetCrd(c)
    c.cleanUp(crd)
    await create(c, crd)
    const ref = { group: 'apiextensions.k8s.io', version: 'v1', kind: crd.kind, name: crd.metadata.name }
    assert.equal((await getObject(c.cluster, ref, c.ctx))?.metadata.name, crd.metadata.name)
  }),

  contractCase('list gives items with apiVersion and kind, in the order of their names', async (c) => {
    await createMany(c, ['b', 'a', 'c'])
    const { items, resourceVersion } = await listObjects(c.cluster, own(c), c.ctx)
    assert.deepEqual(
      items.map((item) => [item.apiVersion, item.kind, item.metadata.name]),
      ['a', 'b', 'c'].map((name) => ['v1', 'ConfigMap', name]),
    )
    assert.match(resourceVersion, /^\d+$/)
  }),
  contractCase('list of nothing is empty and has a resourceVersion', async (c) => {
    const list = await listObjects(c.cluster, { ...own(c), labelSelector: 'no=match' }, c.ctx)
    assert.deepEqual(list.items, [])
    assert.notEqual(list.resourceVersion, '')
  }),
  contractCase('list selects by labels', async (c) => {
    for (const [name, tier] of Object.entries({ a: 'front', b: 'back', c: 'front', d: 'other' })) {
      await create(c, labelled(c, name, { tier }))
    }
    await create(c, configMap(c, 'e'))
    const select = async (labelSelector: string): Promise<string[]> => names(c, { ...own(c), labelSelector })
    assert.deepEqual(await select('tier=front'), ['a', 'c'])
    assert.deepEqual(await select('tier!=front,tier'), ['b', 'd'])
    assert.deepEqual(await select('tier in (back, other)'), ['b', 'd'])
    assert.deepEqual((await select('!tier')).includes('e'), true)
  }),
  contractCase('list selects by fields', async (c) => {
    await createMany(c, ['a', 'b'])
    assert.deepEqual(await names(c, { ...own(c), fieldSelector: 'metadata.name=b' }), ['b'])
    const everywhere = { gvk: configMaps, fieldSelector: `metadata.namespace=${c.namespace},metadata.name=a` }
    assert.deepEqual(await names(c, everywhere), ['a'])
  }),
  contractCase('list refuses an invalid selector', async (c) => {
    const query = { ...own(c), labelSelector: 'a in (' }
    await assert.rejects(listObjects(c.cluster, query, c.ctx), { code: 'kube.bad-request' })
  }),
  contractCase('list reads all namespaces when none is given', async (c) => {
    await create(c, labelled(c, 'a', { run: c.unique }))
    const { items } = await listObjects(c.cluster, { gvk: configMaps, labelSelector: `run=${c.unique}` }, c.ctx)
    assert.deepEqual(
      items.map((item) => `${item.metadata.namespace}/${item.metadata.name}`),
      [`${c.namespace}/a`],
    )
  }),
  contractCase('list comes in pages that all show the same moment', async (c) => {
    // Secrets, because no controller puts any into a new namespace, and with a selector servers do not count the rest.
    const gvk = { group: '', version: 'v1', kind: 'Secret' }
    const secret = (name: string) => ({ ...configMap(c, name), kind: 'Secret' })
    const all = Array.from({ length: 12 }, (_, index) => `item-${String(index).padStart(2, '0')}`)
    await Promise.all(all.map((name) => create(c, secret(name))))
    const seen: string[] = []
    const remaining: (number | undefined)[] = []
    const versions = new Set<string>()
    for await (const page of listPages(c.cluster, { gvk, namespace: c.namespace, pageSize: 5 }, c.ctx)) {
      if (seen.length === 0) {
        // What happens after the first page must not show in the others.
        await remove(c, secret('item-11'), `/api/v1/namespaces/${c.namespace}/secrets`)
        await create(c, secret('item-99'))
      }
      seen.push(...page.items.map((item) => item.metadata.name))
      remaining.push(page.remaining)
      versions.add(page.resourceVersion)
    }
    assert.deepEqual(seen, all)
    assert.deepEqual(remaining, [7, 2, undefined])
    assert.equal(versions.size, 1)
  }),
  contractCase('list can read metadata alone, under the objects’ own kind', async (c) => {
    await create(c, configMap(c, 'a', { key: 'value' }))
    const { items } = await listObjects(c.cluster, { ...own(c), metadataOnly: true }, c.ctx)
    assert.equal(items[0]?.kind, 'ConfigMap')
    assert.equal(items[0].apiVersion, 'v1')
    assert.ok(items[0].metadata.uid)
    assert.equal('data' in items[0], false)
  }),
  contractCase('list can read an exact resourceVersion of the past', async (c) => {
    await createMany(c, ['a'])
    const { resourceVersion } = await listObjects(c.cluster, own(c), c.ctx)
    await createMany(c, ['b'])
    assert.deepEqual(await names(c, { ...own(c), resourceVersion, resourceVersionMatch: 'Exact' }), ['a'])
    assert.deepEqual(await names(c, own(c)), ['a', 'b'])
  }),
  contractCase('list at a known resourceVersion or later sees at least that', async (c) => {
    const created = await create(c, labelled(c, 'a', { mine: 'yes' }))
    const resourceVersion = created.metadata.resourceVersion ?? ''
    assert.deepEqual(await names(c, { ...own(c), resourceVersion, resourceVersionMatch: 'NotOlderThan' }), ['a'])
  }),
  contractCase('list without the right to is forbidden', async (c) => {
    await assert.rejects(listObjects(c.unprivileged, own(c), c.ctx), { code: 'kube.forbidden' })
  }),
  contractCase('list of custom resources names them by their kind', async (c) => {
    const widgets = await installWidgets(c)
    await create(c, widgets.object('a', { spec: { size: 1 } }))
    const { items } = await listObjects(c.cluster, { gvk: widgets, namespace: c.namespace, pageSize: 1 }, c.ctx)
    assert.deepEqual(
      items.map((item) => [item.apiVersion, item.kind]),
      [[formatApiVersion(widgets), 'Widget']],
    )
  }),
]

/** The case's own ConfigMaps, without the one that every namespace of a full cluster has. */
function own(c: CaseContext) {
  return { gvk: configMaps, namespace: c.namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' }
}

async function names(c: CaseContext, query: Parameters<typeof listObjects>[1]): Promise<string[]> {
  const { items } = await listObjects(c.cluster, query, c.ctx)
  return items.map((item) => item.metadata.name)
}

async function createMany(c: CaseContext, all: readonly string[]): Promise<void> {
  await Promise.all(all.map((name) => create(c, configMap(c, name))))
}

function labelled(c: CaseContext, name: string, labels: Record<string, string>) {
  const object = configMap(c, name)
  return { ...object, metadata: { ...object.metadata, labels } }
}

function observed(transport: Transport, tell: (path: string) => void): Transport {
  return {
    ...passing(transport),
    request: (request, ctx) => {
      tell(request.path)
      return transport.request(request, ctx)
    },
  }
}

function unaggregated(transport: Transport): Transport {
  return {
    ...passing(transport),
    request: (request, ctx) => transport.request({ ...request, accept: 'application/json' }, ctx),
  }
}

/** A transport may be a class; its methods do not survive a spread. */
function passing(transport: Transport): Transport {
  return {
    server: transport.server,
    identity: transport.identity,
    request: (request, ctx) => transport.request(request, ctx),
    stream: (request, ctx) => transport.stream(request, ctx),
    close: () => transport.close(),
  }
}

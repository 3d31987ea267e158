import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type Context, context, type KubeObject, type ObjectRef, type UntypedObject } from '../core/index.ts'
import type { ConfigMap, Deployment, Quantity, Secret } from '../core/kinds/index.ts'
import { type Sandbox, startSandbox } from '../sandbox/index.ts'
import {
  applyObject,
  type Cluster,
  connect,
  type Connected,
  createObject,
  get,
  getObject,
  listObjects,
  patchObject,
  startInformer,
  updateObject,
  watchObjects,
} from './index.ts'

// The types are checked by `tsc --noEmit`; what the calls do is checked when this file runs.

interface Widget {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  spec: { size: number }
}

interface Gadget {
  apiVersion: 'example.com/v1'
  kind: 'Gadget'
  metadata: { name: string; namespace?: string }
  spec: { size: number }
}

const deployments = { group: 'apps', version: 'v1', kind: 'Deployment' } as const
const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' } as const

let sandbox: Sandbox
let cluster: Connected
const ctx = context()

beforeAll(async () => {
  sandbox = await startSandbox({})
  cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
})
afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

describe('typed objects', () => {
  it('create, read, list, apply, patch and update with the fields of their kind', async () => {
    const created = await createObject(
      cluster,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { generateName: 'web-', namespace: 'default', labels: { app: 'web' } },
        data: { greeting: 'hello' },
      },
      {},
      ctx,
    )
    expectTypeOf(created).toEqualTypeOf<ConfigMap>()
    const { name } = created.metadata
    expect(name).toMatch(/^web-./)

    const read = await getObject(cluster, { ...configMaps, namespace: 'default', name }, ctx)
    expectTypeOf(read).toEqualTypeOf<ConfigMap | undefined>()
    expect(read?.data?.['greeting']).toBe('hello')
    expect(await get(cluster, 'v1', 'ConfigMap', `default/${name}`, ctx)).toEqual(read)
    expect((await get(cluster, 'v1', 'Namespace', 'default', ctx))?.status?.phase).toBe('Active')
    expect(await get(cluster, 'v1', 'ConfigMap', 'default/absent', ctx)).toBeUndefined()

    const list = await listObjects(cluster, { gvk: configMaps, namespace: 'default', labelSelector: 'app=web' }, ctx)
    expectTypeOf(list.items).toEqualTypeOf<readonly ConfigMap[]>()
    expect(list.items.map(({ data }) => data)).toEqual([{ greeting: 'hello' }])

    const { object } = await applyObject(
      cluster,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { more: 'yes' } },
      {},
      ctx,
    )
    expectTypeOf(object).toEqualTypeOf<ConfigMap>()
    expect(object.data).toEqual({ greeting: 'hello', more: 'yes' })

    const ref = { ...configMaps, namespace: 'default', name }
    const patched = await patchObject(cluster, ref, { data: { more: null } }, { type: 'merge' }, ctx)
    expectTypeOf(patched).toEqualTypeOf<ConfigMap>()
    expect(patched.data).toEqual({ greeting: 'hello' })

    const updated = await updateObject(cluster, { ...patched, data: { greeting: 'bye' } }, {}, ctx)
    expectTypeOf(updated).toEqualTypeOf<ConfigMap>()
    expect(updated.data).toEqual({ greeting: 'bye' })

    const seen: (ConfigMap['data'] | undefined)[] = []
    for await (const event of watchObjects(cluster, { gvk: configMaps, namespace: 'default', name }, ctx)) {
      if (event.type === 'synced') break
      if (event.type === 'added') seen.push(event.object.data)
    }
    expect(seen).toEqual([{ greeting: 'bye' }])
    const informer = startInformer(cluster, { gvk: configMaps, namespace: 'default' }, ctx)
    await informer.synced
    expect(informer.get({ namespace: 'default', name })?.data).toEqual({ greeting: 'bye' })
    informer.close()
    await informer.ended
  })

  it('are told by the beginning of their name when the server is to choose it', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } } as const
    await expect(createObject(cluster, object, {}, ctx)).rejects.toThrow('ConfigMap web-* needs a namespace')
  })

  it('are named by namespace and name, or by name', async () => {
    for (const path of ['', '/web', 'shop/', 'a/b/c']) {
      await expect(get(cluster, 'v1', 'ConfigMap', path, ctx)).rejects.toMatchObject({ code: 'usage.invalid' })
    }
  })
})

// Never called: these are the calls that do not run, or do not compile.
export async function typeTests(cluster: Cluster, ref: ObjectRef, any: KubeObject, ctx: Context): Promise<void> {
  // Reading
  const name = 'web'
  expectTypeOf(await getObject(cluster, { ...deployments, name }, ctx)).toEqualTypeOf<Deployment | undefined>()
  expectTypeOf(await getObject(cluster, { group: '', version: 'v1', kind: 'Secret', name }, ctx)).toEqualTypeOf<
    Secret | undefined
  >()
  expectTypeOf(await getObject(cluster, ref, ctx)).toEqualTypeOf<UntypedObject | undefined>()
  const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
  expectTypeOf(await getObject<Widget>(cluster, { ...gvk, name }, ctx)).toEqualTypeOf<Widget | undefined>()
  // @ts-expect-error -- a misspelt field of the reference
  await getObject(cluster, { ...deployments, name, namspace: 'shop' }, ctx)
  expectTypeOf(await get(cluster, 'apps/v1', 'Deployment', 'shop/web', ctx)).toEqualTypeOf<Deployment | undefined>()
  // @ts-expect-error -- apps/v1 has no such kind
  await get(cluster, 'apps/v1', 'Deploymnet', 'shop/web', ctx)
  expectTypeOf((await get(cluster, 'example.com/v1', 'Widget', 'shop/web', ctx))?.['spec']).toEqualTypeOf<unknown>()

  // Lists, watches, informers
  const query = { gvk: deployments } as const
  const list = await listObjects(cluster, query, ctx)
  expectTypeOf(list.items).toEqualTypeOf<readonly Deployment[]>()
  expectTypeOf((await listObjects<Widget>(cluster, { gvk }, ctx)).items).toEqualTypeOf<readonly Widget[]>()
  const bare = await listObjects(cluster, { ...query, metadataOnly: true }, ctx)
  // @ts-expect-error -- only the metadata was read
  void bare.items[0]?.spec
  // @ts-expect-error -- a misspelt option
  await listObjects(cluster, { gvk: deployments, labelSelecter: 'app=web' }, ctx)
  for await (const event of watchObjects(cluster, { gvk: deployments, from: list }, ctx)) {
    if (event.type === 'added') expectTypeOf(event.object).toEqualTypeOf<Deployment>()
    // @ts-expect-error -- an unseen deletion knows the identity only
    if (event.type === 'deleted') void event.object.spec
  }
  const informer = startInformer(cluster, query, ctx)
  expectTypeOf(informer.list()).toEqualTypeOf<readonly Deployment[]>()
  informer.subscribe(({ object }) => expectTypeOf(object).toEqualTypeOf<Deployment>())

  // Writing
  const metadata = { name, namespace: 'shop' }
  await applyObject(
    cluster,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 3 } },
    { dryRun: true },
    ctx,
  )
  // @ts-expect-error -- a number as text
  await applyObject(cluster, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: '3' } }, {}, ctx)
  // @ts-expect-error -- a misspelt field
  await applyObject(cluster, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spce: { replicas: 3 } }, {}, ctx)
  // @ts-expect-error -- a kind of another group
  await applyObject(cluster, { apiVersion: 'apps/v1', kind: 'Job', metadata, spec: {} }, {}, ctx)
  const meta = { generateName: 'a-', namespace: 'shop' }
  // @ts-expect-error -- a misspelt field of the metadata
  await createObject(cluster, { apiVersion: 'v1', kind: 'Secret', metadata: { ...meta, lables: {} } }, {}, ctx)
  // @ts-expect-error -- a Secret's values are base64 text
  await createObject(cluster, { apiVersion: 'v1', kind: 'Secret', metadata, data: { port: 80 } }, {}, ctx)
  const deployment: KubeObject<'apps/v1', 'Deployment'> = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            {
              name,
              image: 'web:1',
              resources: { limits: { cpu: 2, memory: '1Gi' } },
              readinessProbe: { httpGet: { port: 'http', path: '/' } },
            },
          ],
        },
      },
    },
  }
  expectTypeOf(await updateObject(cluster, deployment, {}, ctx)).toEqualTypeOf<Deployment>()
  const untyped: KubeObject[] = [deployment, any]
  void untyped
  // @ts-expect-error -- another kind
  const wrong: KubeObject<'apps/v1', 'Deployment'> = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata }
  void wrong
  expectTypeOf<Quantity>().toEqualTypeOf<string | number>()

  // Kinds without a type, and types of one's own
  expectTypeOf(await createObject(cluster, any, {}, ctx)).toEqualTypeOf<UntypedObject>()
  const plain: Widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { size: 1 } }
  expectTypeOf((await createObject(cluster, plain, {}, ctx)).spec.size).toEqualTypeOf<number>()
  const sent = await createObject(
    cluster,
    { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { generateName: 'w-' }, spec: { size: 1 } },
    {},
    ctx,
  )
  expectTypeOf(sent.metadata.name).toEqualTypeOf<string>()
  expectTypeOf(sent['status']).toEqualTypeOf<unknown>()
  const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { namespace: 'shop' } } as const
  await createObject<Gadget>(cluster, { ...gadget, spec: { size: 1 } }, {}, ctx)
  // @ts-expect-error -- its own type says that a size is a number
  await createObject<Gadget>(cluster, { ...gadget, spec: { size: '1' } }, {}, ctx)

  // Patches
  const web = { ...deployments, ...metadata }
  expectTypeOf(
    await patchObject(cluster, web, { spec: { replicas: 3, paused: null } }, { type: 'merge' }, ctx),
  ).toEqualTypeOf<Deployment>()
  expectTypeOf(
    await patchObject(cluster, web, { spec: { replicas: 3 } }, { type: 'merge', subresource: 'scale' }, ctx),
  ).toEqualTypeOf<KubeObject<'autoscaling/v1', 'Scale'>>()
  const containers = [{ name: 'old', $patch: 'delete' }]
  await patchObject(cluster, web, { spec: { template: { spec: { containers } } } }, { type: 'strategic' }, ctx)
  await patchObject(cluster, web, [{ op: 'remove', path: '/spec/paused' }], { type: 'json' }, ctx)
  await patchObject(cluster, ref, { anything: 1 }, { type: 'merge' }, ctx)
  // @ts-expect-error -- a number as text
  await patchObject(cluster, web, { spec: { replicas: '3' } }, { type: 'merge' }, ctx)
  // @ts-expect-error -- a misspelt field
  await patchObject(cluster, web, { spce: { replicas: 3 } }, { type: 'merge' }, ctx)
  // @ts-expect-error -- JSON patches have no such operation
  await patchObject(cluster, web, [{ op: 'delete', path: '/spec' }], { type: 'json' }, ctx)
}

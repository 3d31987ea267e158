import { describe, expect, expectTypeOf, it } from 'vitest'
import type { KubeObject } from '../core/index.ts'
import { startSandbox } from './start.ts'

describe('sandbox.connect()', () => {
  it('gives a cluster whose verbs are typed by apiVersion and kind', async () => {
    await using sandbox = await startSandbox()
    await using cluster = await sandbox.connect({ namespace: 'shop' })
    expect(cluster.namespace).toBe('shop')
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
    const metadata = { name: 'settings', namespace: 'shop' }
    const applied = await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { size: '1' } })
    expect(applied.action).toBe('created')

    const settings = await cluster.get('v1', 'ConfigMap', 'shop/settings')
    expectTypeOf(settings).toEqualTypeOf<KubeObject<'v1', 'ConfigMap'> | undefined>()
    expect(settings?.data).toEqual({ size: '1' })

    const patched = await cluster.patch('v1', 'ConfigMap', 'shop/settings', { data: { size: '2', colour: 'red' } })
    expect(patched.data).toEqual({ size: '2', colour: 'red' })
    // @ts-expect-error -- the values of a ConfigMap are text
    await cluster.patch('v1', 'ConfigMap', 'shop/settings', { data: { size: 2 } }).catch(() => undefined)
    const remove = [{ op: 'remove', path: '/data/colour' }] as const
    expect((await cluster.patch('v1', 'ConfigMap', 'shop/settings', remove, { type: 'json' })).data).toEqual({
      size: '2',
    })
    const updated = await cluster.update({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { size: '3' } })
    expect(updated.data).toEqual({ size: '3' })

    const { items } = await cluster.list('v1', 'ConfigMap', {
      namespace: 'shop',
      fieldSelector: 'metadata.name=settings',
    })
    expect(items.map(({ data }) => data)).toEqual([{ size: '3' }])
    for await (const event of cluster.watch('v1', 'ConfigMap', { namespace: 'shop' })) {
      if (event.type === 'added' && event.object.metadata.name === 'settings') break
    }

    expect(await cluster.delete('v1', 'ConfigMap', 'shop/settings')).toMatchObject({ action: 'deleted' })
    expect(await cluster.get('v1', 'ConfigMap', 'shop/settings')).toBeUndefined()
    // @ts-expect-error -- apps/v1 has no such kind
    await expect(cluster.get('apps/v1', 'Deploymnet', 'shop/web')).rejects.toMatchObject({ code: 'kube.unknown-kind' })
  })

  it('connects as nobody too, who may do nothing', async () => {
    await using sandbox = await startSandbox()
    await using cluster = await sandbox.connect({ user: 'nobody' })
    await expect(cluster.list('v1', 'Secret')).rejects.toMatchObject({ code: 'kube.forbidden' })
  })

  it('works over plain HTTP, and stops with the block that it was declared in', async () => {
    let url: string
    {
      await using sandbox = await startSandbox({ tls: false, registry: {} })
      await using cluster = await sandbox.connect()
      expect((await cluster.get('v1', 'Namespace', 'default'))?.metadata.name).toBe('default')
      url = sandbox.registry?.url ?? ''
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})

import { describe, expect, it } from 'vitest'
import { context, type GroupVersionKind } from '../../core/index.ts'
import { createDiscovery } from './discovery.ts'
import { configMap, fakeServer, widget, widgets } from '../testing/discovery-server.ts'

describe('discovery', () => {
  it('reads everything with two requests, and only once for all who ask', async () => {
    const server = fakeServer()
    const discovery = createDiscovery(server.transport)
    const found = await Promise.all(
      [configMap, deployment('v1'), configMap].map((gvk) => discovery.find(gvk, context())),
    )
    expect(found.map((one) => one?.resource)).toEqual(['configmaps', 'deployments', 'configmaps'])
    await discovery.all(context())
    expect(server.paths).toEqual(['/api', '/apis'])
    expect(found[1]).toEqual({
      ...deployment('v1'),
      resource: 'deployments',
      namespaced: true,
      verbs: ['get', 'list'],
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: ['status', 'scale'],
    })
  })

  it('finds a kind without version in the preferred one', async () => {
    const discovery = createDiscovery(fakeServer().transport)
    expect((await discovery.find(deployment(''), context()))?.version).toBe('v1')
    expect((await discovery.find(deployment('v1beta1'), context()))?.version).toBe('v1beta1')
  })

  it('reads again, once, when a kind is unknown', async () => {
    const server = fakeServer()
    const discovery = createDiscovery(server.transport)
    await discovery.all(context())
    expect(await discovery.find(widget, context())).toBeUndefined()
    expect(server.paths).toHaveLength(4)
    server.groups.push(widgets())
    expect((await discovery.find(widget, context()))?.resource).toBe('widgets')
    expect(server.paths).toHaveLength(6)
  })

  it('does not read twice for an unknown kind when nothing had been read before', async () => {
    const server = fakeServer()
    expect(await createDiscovery(server.transport).find(widget, context())).toBeUndefined()
    expect(server.paths).toHaveLength(2)
  })

  it('reads once for many who miss a kind at the same time', async () => {
    const server = fakeServer()
    const discovery = createDiscovery(server.transport)
    await discovery.all(context())
    server.groups.push(widgets())
    await Promise.all(Array.from({ length: 50 }, () => discovery.find(widget, context())))
    expect(server.paths).toHaveLength(4)
  })

  it('does not trust a reading that began before it was invalidated', async () => {
    const server = fakeServer()
    const gate = server.hold()
    const discovery = createDiscovery(server.transport)
    const early = discovery.all(context())
    await gate.reached
    server.groups.push(widgets())
    discovery.invalidate()
    gate.open()
    expect((await discovery.find(widget, context()))?.resource).toBe('widgets')
    await early
  })

  it('goes on for the others when the one that began the reading is cancelled', async () => {
    const server = fakeServer()
    const gate = server.hold()
    const discovery = createDiscovery(server.transport)
    const stop = new AbortController()
    const first = discovery.all(context({ signal: stop.signal }))
    await gate.reached
    const second = discovery.find(configMap, context())
    stop.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    gate.open()
    expect((await second)?.resource).toBe('configmaps')
  })

  it('lets a caller go whose own signal aborts while another one reads', async () => {
    const server = fakeServer()
    const gate = server.hold()
    const discovery = createDiscovery(server.transport)
    const first = discovery.all(context())
    await gate.reached
    const stop = new AbortController()
    const second = discovery.all(context({ signal: stop.signal }))
    stop.abort()
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    gate.open()
    expect(await first).not.toHaveLength(0)
  })

  it('reads again after a failure', async () => {
    const server = fakeServer()
    server.failing.add('/apis')
    const discovery = createDiscovery(server.transport)
    await expect(discovery.all(context())).rejects.toMatchObject({ code: 'kube.server-error' })
    server.failing.clear()
    expect(await discovery.all(context())).not.toHaveLength(0)
  })

  it.each(['APIGroupList', '406'])('reads group by group where it is not aggregated (%s)', async (how) => {
    const aggregated = await createDiscovery(fakeServer().transport).all(context())
    const server = fakeServer(how === '406' ? 'refused' : 'plain')
    expect(await createDiscovery(server.transport).all(context())).toEqual(aggregated)
    expect(server.paths).toContain('/apis/apps/v1')
    expect(server.paths).toContain('/api/v1')
  })

  const forms = ['aggregated', 'plain'] as const
  it.each(forms)('keeps the others working when one API service does not answer (%s)', async (form) => {
    const server = fakeServer(form)
    server.groups.push(widgets())
    const discovery = createDiscovery(server.transport)
    server.silence('example.com')
    expect((await discovery.find(deployment('v1'), context()))?.resource).toBe('deployments')
    // Not "unknown", which would mean that its objects are gone.
    await expect(discovery.find(widget, context())).rejects.toMatchObject({ code: 'kube.server-error' })
    expect(await discovery.find({ ...widget, group: 'other.com' }, context())).toBeUndefined()
  })

  it.each(forms)('remembers what an API service served before it fell silent (%s)', async (form) => {
    const server = fakeServer(form)
    server.groups.push(widgets())
    const discovery = createDiscovery(server.transport)
    await discovery.all(context())
    server.silence('example.com')
    discovery.invalidate()
    expect((await discovery.find(widget, context()))?.resource).toBe('widgets')
  })
})

function deployment(version: string): GroupVersionKind {
  return { group: 'apps', version, kind: 'Deployment' }
}

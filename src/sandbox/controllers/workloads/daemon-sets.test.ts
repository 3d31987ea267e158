import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlPlane, controlPlane, podTemplate, workload } from '../../testing/control-plane.ts'

describe('a DaemonSet', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane([], 3)
  })
  afterEach(() => plane.stop())

  const places = (): unknown[] => plane.list('/pods').map((pod) => pod.spec['nodeName'])
  const status = (): Record<string, unknown> => plane.get('apps/daemonsets', 'agent')?.status ?? {}

  it('runs one Pod on every node, also on one that comes later', async () => {
    plane.create(workload('DaemonSet', 'agent'))
    await plane.idle()
    expect(new Set(places())).toEqual(new Set(['sandbox-node', 'sandbox-node-2', 'sandbox-node-3']))
    expect(status()).toMatchObject({ desiredNumberScheduled: 3, numberReady: 3, numberAvailable: 3 })
    const node = plane.get('/nodes', 'sandbox-node', '')!
    plane.backend.store.put('/nodes', { ...node, metadata: { name: 'late', uid: 'late', labels: {} } })
    await plane.idle()
    expect(places()).toContain('late')
    expect(status()['desiredNumberScheduled']).toBe(4)
  })

  it('stays on the nodes that its template selects', async () => {
    const template = podTemplate('agent', { nodeSelector: { 'kubernetes.io/hostname': 'sandbox-node-2' } })
    plane.create(workload('DaemonSet', 'agent', { template }))
    await plane.idle()
    expect(places()).toEqual(['sandbox-node-2'])
    expect(status()['desiredNumberScheduled']).toBe(1)
  })

  it('replaces its Pods one by one, and stops at one that does not become ready', async () => {
    const created = plane.create(workload('DaemonSet', 'agent'))
    await plane.idle()
    await plane.change(created, {
      template: podTemplate('agent', { annotations: { 'lading.dev/simulate': 'unready' } }),
    })
    expect(status()).toMatchObject({ updatedNumberScheduled: 1, numberAvailable: 2, numberUnavailable: 1 })
    await plane.change(created, { template: podTemplate('agent', { annotations: { fixed: 'yes' } }) })
    expect(status()).toMatchObject({ updatedNumberScheduled: 3, numberAvailable: 3 })
  })
})

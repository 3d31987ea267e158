import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlPlane, controlPlane, podTemplate, workload } from '../testing/control-plane.ts'

describe('a Service', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  const create = (spec: Record<string, unknown>) =>
    plane.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { ports: [{ port: 80 }], ...spec },
    })
  const endpoints = () =>
    plane
      .list('discovery.k8s.io/endpointslices')
      .flatMap(
        (slice) => (slice['endpoints'] ?? []) as { conditions: { ready: boolean }; targetRef: { name: string } }[],
      )

  it('has its ready Pods as endpoints, and follows them', async () => {
    const ports = [{ name: 'http', port: 80, targetPort: 'web' }]
    create({ selector: { app: 'web' }, ports })
    await plane.idle()
    expect(endpoints()).toEqual([])
    const containers = [{ name: 'main', image: 'x', ports: [{ name: 'web', containerPort: 8080 }] }]
    const created = plane.create(
      workload('Deployment', 'web', { replicas: 2, template: podTemplate('web', { containers }) }),
    )
    await plane.idle()
    expect(endpoints().map(({ conditions }) => conditions.ready)).toEqual([true, true])
    const [slice] = plane.list('discovery.k8s.io/endpointslices')
    expect(slice?.['ports']).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }])
    expect(slice?.metadata).toMatchObject({
      labels: { 'kubernetes.io/service-name': 'web' },
      ownerReferences: [{ kind: 'Service', name: 'web' }],
    })
    await plane.change(created, { replicas: 1 })
    expect(endpoints()).toHaveLength(1)
  })

  it('shows Pods that are not ready as such', async () => {
    create({ selector: { app: 'web' } })
    const template = podTemplate('web', { annotations: { 'lading.dev/simulate': 'unready' } })
    plane.create(workload('Deployment', 'web', { template }))
    await plane.idle()
    expect(endpoints().map(({ conditions }) => conditions.ready)).toEqual([false])
    expect(plane.get('/endpoints', 'web')?.['subsets']).toMatchObject([{ notReadyAddresses: [{}] }])
  })

  it('spreads many endpoints over slices of a hundred', async () => {
    create({ selector: { app: 'web' } })
    plane.create(workload('Deployment', 'web', { replicas: 120 }))
    await plane.idle()
    const sizes = plane.list('discovery.k8s.io/endpointslices').map((slice) => (slice['endpoints'] as unknown[]).length)
    expect(new Set(sizes)).toEqual(new Set([100, 20]))
  })

  it('of type LoadBalancer gets an address, and loses it with the type', async () => {
    const created = create({ type: 'LoadBalancer' })
    await plane.idle()
    const address = () => plane.get('/services', 'web')?.status['loadBalancer']
    expect(address()).toMatchObject({ ingress: [{ ip: expect.any(String), ipMode: 'VIP' }] })
    await plane.change(created, { type: 'ClusterIP' })
    expect(address()).toEqual({})
  })

  it('takes its endpoints with it', async () => {
    const created = create({ selector: { app: 'web' } })
    await plane.idle()
    await plane.remove(created)
    expect(plane.list('discovery.k8s.io/endpointslices')).toEqual([])
    expect(plane.list('/endpoints')).toEqual([])
  })
})

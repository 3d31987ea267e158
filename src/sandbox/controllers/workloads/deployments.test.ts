import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlPlane, controlPlane, type Loose, podTemplate, workload } from '../../testing/control-plane.ts'
import { isActive } from '../pods/pod-factory.ts'
import { desiredOf, sum } from './rollout.ts'
import { isReady } from './availability.ts'

describe('a Deployment', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  const image = (name: string): Record<string, unknown> => ({
    template: { ...podTemplate('web'), spec: { containers: [{ name: 'main', image: name }] } },
  })
  const sets = (): Loose[] => plane.list('apps/replicasets')
  const deployment = (): Loose => plane.get('apps/deployments', 'web')!
  const reasons = (): Record<string, string> =>
    Object.fromEntries(
      (deployment().status.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]),
    )

  it('runs its Pods and says that it is available and done', async () => {
    plane.create(workload('Deployment', 'web', { replicas: 3 }))
    await plane.idle()
    expect(deployment().status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    })
    expect(deployment().status).not.toHaveProperty('unavailableReplicas')
    expect(reasons()).toEqual({
      Available: 'True MinimumReplicasAvailable',
      Progressing: 'True NewReplicaSetAvailable',
    })
    expect(deployment().metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1')
    const [set] = sets()
    const hash = set?.metadata.labels?.['pod-template-hash']
    expect(set?.metadata.name).toBe(`web-${hash}`)
    for (const pod of plane.list('/pods')) {
      expect(pod.metadata).toMatchObject({
        labels: { app: 'web', 'pod-template-hash': hash },
        ownerReferences: [{ kind: 'ReplicaSet', name: set?.metadata.name, controller: true, blockOwnerDeletion: true }],
      })
    }
  })

  it('never has more or fewer Pods during a rollout than its strategy allows', async () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } }
    const created = plane.create(workload('Deployment', 'web', { replicas: 5, strategy }))
    await plane.idle()
    let most = 0
    let fewest = 5
    const stop = plane.backend.store.listen(() => {
      most = Math.max(most, sum(sets(), desiredOf))
      fewest = Math.min(fewest, plane.list('/pods').filter((pod) => isActive(pod) && isReady(pod)).length)
    })
    await plane.change(created, image('app:2'))
    stop()
    expect(most).toBe(7)
    expect(fewest).toBe(4)
    expect(new Set(sets().map(desiredOf))).toEqual(new Set([0, 5]))
    expect(deployment().metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2')
  })

  it('goes back to an old template by its old ReplicaSet, under a new revision', async () => {
    const created = plane.create(workload('Deployment', 'web', image('app:1')))
    await plane.idle()
    const [first] = sets()
    await plane.change(created, image('app:2'))
    await plane.change(created, image('app:1'))
    expect(sets()).toHaveLength(2)
    const again = plane.get('apps/replicasets', first?.metadata.name ?? '')
    expect(again?.spec['replicas']).toBe(1)
    expect(again?.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    })
    expect(deployment().metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3')
  })

  it('with Recreate, has no Pod of the new template before the last of the old one is gone', async () => {
    const created = plane.create(workload('Deployment', 'web', { replicas: 3, strategy: { type: 'Recreate' } }))
    await plane.idle()
    let mixed = false
    const stop = plane.backend.store.listen(() => {
      mixed ||= new Set(plane.list('/pods').map((pod) => pod.metadata.labels?.['pod-template-hash'])).size > 1
    })
    await plane.change(created, image('app:2'))
    stop()
    expect(mixed).toBe(false)
    expect(deployment().status['updatedReplicas']).toBe(3)
  })

  it('does not roll out while it is paused, but follows its size', async () => {
    const created = plane.create(workload('Deployment', 'web', { replicas: 2 }))
    await plane.idle()
    await plane.change(created, { ...image('app:2'), paused: true })
    await plane.change(created, { replicas: 3 })
    expect(sets().map((set) => set.spec['replicas'])).toEqual([3])
    expect(reasons()['Progressing']).toBe('Unknown DeploymentPaused')
    await plane.change(created, { paused: false })
    expect(sets()).toHaveLength(2)
    expect(reasons()['Progressing']).toBe('True NewReplicaSetAvailable')
  })

  it('keeps the old Pods when the new ones do not become ready, and gives up at its deadline', async () => {
    const created = plane.create(workload('Deployment', 'web', { replicas: 4, progressDeadlineSeconds: 60 }))
    await plane.idle()
    await plane.change(created, { template: podTemplate('web', { annotations: { 'lading.dev/simulate': 'unready' } }) })
    expect(deployment().status).toMatchObject({ availableReplicas: 3, updatedReplicas: 2, unavailableReplicas: 2 })
    expect(reasons()['Progressing']).toBe('True ReplicaSetUpdated')
    await plane.advance(62_000)
    expect(reasons()).toEqual({
      Available: 'True MinimumReplicasAvailable',
      Progressing: 'False ProgressDeadlineExceeded',
    })
    await plane.change(created, { template: podTemplate('web') })
    expect(reasons()['Progressing']).toBe('True NewReplicaSetAvailable')
  })

  it('counts Pods as available only after minReadySeconds', async () => {
    plane.create(workload('Deployment', 'web', { minReadySeconds: 10 }))
    await plane.idle()
    expect(deployment().status).toMatchObject({ readyReplicas: 1, unavailableReplicas: 1 })
    await plane.advance(10_000)
    expect(deployment().status).toMatchObject({ readyReplicas: 1, availableReplicas: 1 })
  })

  it('keeps as many old revisions as its limit says', async () => {
    const created = plane.create(workload('Deployment', 'web', { revisionHistoryLimit: 2 }))
    await plane.idle()
    for (const tag of ['2', '3', '4', '5']) await plane.change(created, image(`app:${tag}`))
    const revisions = sets().map((set) => set.metadata.annotations?.['deployment.kubernetes.io/revision'])
    expect(new Set(revisions)).toEqual(new Set(['3', '4', '5']))
  })

  it('takes over the ReplicaSets that an orphaning deletion left', async () => {
    const created = plane.create(workload('Deployment', 'web', { replicas: 2 }))
    await plane.idle()
    const before = plane.list('/pods').map((pod) => pod.metadata.uid)
    await plane.remove(created, 'Orphan')
    expect(sets()[0]?.metadata.ownerReferences).toBeUndefined()
    const again = plane.create(workload('Deployment', 'web', { replicas: 2 }))
    await plane.idle()
    expect(sets()[0]?.metadata.ownerReferences?.[0]?.uid).toBe(again.metadata.uid)
    expect(plane.list('/pods').map((pod) => pod.metadata.uid)).toEqual(before)
  })

  it('replaces a Pod that somebody deletes', async () => {
    plane.create(workload('Deployment', 'web', { replicas: 2 }))
    await plane.idle()
    const [victim] = plane.list('/pods')
    await plane.remove(victim!)
    expect(plane.list('/pods').map((pod) => pod.metadata.name)).not.toContain(victim?.metadata.name)
    expect(plane.list('/pods')).toHaveLength(2)
  })

  it('tells what it did in Events', async () => {
    plane.create(workload('Deployment', 'web', { replicas: 1 }))
    await plane.idle()
    const told = plane
      .list('/events')
      .map((event) => `${String(event['reportingComponent'])} ${String(event['reason'])}`)
    expect(told.sort()).toEqual([
      'default-scheduler Scheduled',
      'deployment-controller ScalingReplicaSet',
      'kubelet Created',
      'kubelet Pulled',
      'kubelet Started',
      'replicaset-controller SuccessfulCreate',
    ])
  })
})

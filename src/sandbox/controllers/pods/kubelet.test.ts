import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../core/index.ts'
import { type ControlPlane, controlPlane, type Loose } from '../../testing/control-plane.ts'

describe('a Pod', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  async function create(annotations: Record<string, string>, spec: Record<string, unknown> = {}): Promise<KubeObject> {
    const containers = [{ name: 'main', image: 'x' }]
    const created = plane.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one', annotations },
      spec: { containers, ...spec },
    })
    await plane.idle()
    return created
  }
  const pod = (): Loose => plane.get('/pods', 'one')!
  const container = () => (pod().status['containerStatuses'] as Record<string, unknown>[] | undefined)?.[0]
  const ready = (): string | undefined => pod().status.conditions?.find(({ type }) => type === 'Ready')?.status
  const told = (): string[] => plane.list('/events').map((event) => String(event['reason']))

  it('is scheduled, runs and is ready', async () => {
    await create({}, { initContainers: [{ name: 'prepare', image: 'x' }] })
    expect(pod().spec['nodeName']).toBe('sandbox-node')
    expect(pod().status).toMatchObject({ phase: 'Running', podIP: expect.any(String), hostIP: '172.18.0.2' })
    expect(pod().status.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'PodReadyToStartContainers True',
      'Initialized True',
      'Ready True',
      'ContainersReady True',
      'PodScheduled True',
    ])
    expect(container()).toMatchObject({ name: 'main', ready: true, started: true, state: { running: {} } })
    expect(pod().status['initContainerStatuses']).toMatchObject([
      { name: 'prepare', ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
    ])
  })

  it('goes when it is deleted, and says so', async () => {
    const created = await create({})
    await plane.remove(created)
    expect(plane.get('/pods', 'one')).toBeUndefined()
    expect(told()).toContain('Killing')
  })

  it.each([
    ['pending', 'Pending', 'ContainerCreating'],
    ['image-pull-error', 'Pending', 'ImagePullBackOff'],
    ['config-error', 'Pending', 'CreateContainerConfigError'],
    ['crash-loop', 'Running', 'CrashLoopBackOff'],
  ])('that is to be %s is %s and waits in %s', async (behaviour, phase, reason) => {
    await create({ 'lading.dev/simulate': behaviour })
    expect(pod().status['phase']).toBe(phase)
    expect(container()?.['state']).toMatchObject({ waiting: { reason } })
    expect(ready()).toBe('False')
  })

  it('that crashes does so again and again, five times', async () => {
    await create({ 'lading.dev/simulate': 'crash-loop', 'lading.dev/simulate-exit-code': '137' })
    expect(container()).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137 } } })
    await plane.advance(200)
    expect(container()?.['restartCount']).toBe(2)
    await plane.advance(60_000)
    expect(container()?.['restartCount']).toBe(5)
  })

  it('that is to be unready runs and is not ready', async () => {
    await create({ 'lading.dev/simulate': 'unready' })
    expect(pod().status['phase']).toBe('Running')
    expect(ready()).toBe('False')
    expect(told()).toContain('Unhealthy')
  })

  it('that is to be unschedulable stays without a node', async () => {
    await create({ 'lading.dev/simulate': 'unschedulable' })
    expect(pod().spec['nodeName']).toBeUndefined()
    expect(pod().status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }])
    expect(told()).toEqual(['FailedScheduling'])
  })

  it('that is slow takes its time', async () => {
    await create({ 'lading.dev/simulate': 'slow', 'lading.dev/simulate-seconds': '2' })
    expect(container()?.['state']).toMatchObject({ waiting: { reason: 'ContainerCreating' } })
    await plane.advance(1999)
    expect(ready()).toBe('False')
    await plane.advance(1)
    expect(ready()).toBe('True')
  })

  it.each([
    [{}, 'Succeeded', 0],
    [{ 'lading.dev/simulate': 'job-fail' }, 'Failed', 1],
    [{ 'lading.dev/simulate': 'exit-code', 'lading.dev/simulate-exit-code': '3' }, 'Failed', 3],
  ])('that is not to be restarted ends: %j', async (annotations, phase, exitCode) => {
    await create(annotations, { restartPolicy: 'Never' })
    expect(pod().status['phase']).toBe(phase)
    expect(container()?.['state']).toMatchObject({ terminated: { exitCode } })
  })

  it('that hangs never ends', async () => {
    await create({ 'lading.dev/simulate': 'hang' }, { restartPolicy: 'Never' })
    await plane.advance(3_600_000)
    expect(pod().status['phase']).toBe('Running')
  })

  it('that never terminates goes only by force', async () => {
    const created = await create({ 'lading.dev/simulate': 'never-terminates' })
    await plane.remove(created)
    expect(pod().metadata.deletionTimestamp).toBe('2026-01-01T00:00:30Z')
  })

  it('waits for the Secret that its environment needs', async () => {
    const envFrom = [{ secretRef: { name: 'late' } }]
    await create({}, { containers: [{ name: 'main', image: 'x', envFrom }] })
    const message = 'secret "late" not found'
    expect(container()?.['state']).toMatchObject({ waiting: { reason: 'CreateContainerConfigError', message } })
    plane.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'late' } })
    await plane.idle()
    expect(ready()).toBe('True')
  })
})

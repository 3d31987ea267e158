import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../core/index.ts'
import { type ControlPlane, controlPlane, type Loose } from '../../testing/control-plane.ts'

describe('a Job', () => {
  let plane: ControlPlane
  beforeEach(() => {
    plane = controlPlane()
  })
  afterEach(() => plane.stop())

  function create(spec: Record<string, unknown>, annotations: Record<string, string> = {}): KubeObject {
    const template = {
      metadata: { annotations },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
    }
    return plane.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'work' },
      spec: { template, ...spec },
    })
  }
  const job = (): Loose | undefined => plane.get('batch/jobs', 'work')
  const conditions = (): string[] =>
    (job()?.status.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`)

  it('completes when enough of its Pods did, and leaves them', async () => {
    create({ completions: 3, parallelism: 2 })
    await plane.idle()
    expect(conditions()).toEqual(['SuccessCriteriaMet True CompletionsReached', 'Complete True CompletionsReached'])
    expect(job()?.status).toMatchObject({ succeeded: 3, ready: 0, terminating: 0, uncountedTerminatedPods: {} })
    expect(job()?.status).not.toHaveProperty('active')
    const pods = plane.list('/pods')
    expect(pods).toHaveLength(3)
    for (const pod of pods) expect(pod.metadata.finalizers).toBeUndefined()
  })

  it('never runs more Pods at once than its parallelism', async () => {
    let most = 0
    plane.backend.store.listen(() => {
      const active = plane.list('/pods').filter((pod) => !['Succeeded', 'Failed'].includes(String(pod.status['phase'])))
      most = Math.max(most, active.length)
    })
    create({ completions: 5, parallelism: 2 })
    await plane.idle()
    expect(most).toBe(2)
  })

  it('fails when more Pods failed than its limit allows', async () => {
    create({ backoffLimit: 2 }, { 'lading.dev/simulate': 'job-fail' })
    await plane.idle()
    expect(conditions()).toEqual(['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'])
    expect(job()?.status['failed']).toBe(3)
    expect(plane.list('/pods').map((pod) => pod.status['phase'])).toEqual(['Failed', 'Failed', 'Failed'])
  })

  it('fails at its deadline and ends what still runs', async () => {
    create({ activeDeadlineSeconds: 30 }, { 'lading.dev/simulate': 'hang' })
    await plane.idle()
    expect(job()?.status).toMatchObject({ active: 1, ready: 1 })
    await plane.advance(30_000)
    expect(conditions()).toEqual(['FailureTarget True DeadlineExceeded', 'Failed True DeadlineExceeded'])
    expect(plane.list('/pods')).toEqual([])
  })

  it('does nothing while it is suspended', async () => {
    const created = create({ suspend: true })
    await plane.idle()
    expect(plane.list('/pods')).toEqual([])
    expect(conditions()).toEqual(['Suspended True JobSuspended'])
    await plane.change(created, { suspend: false })
    expect(conditions()).toEqual([
      'Suspended False JobResumed',
      'SuccessCriteriaMet True CompletionsReached',
      'Complete True CompletionsReached',
    ])
  })

  it('goes after its time to live, with its Pods', async () => {
    create({ ttlSecondsAfterFinished: 60 })
    await plane.advance(59_000)
    expect(job()).toBeDefined()
    await plane.advance(2000)
    expect(job()).toBeUndefined()
    expect(plane.list('/pods')).toEqual([])
  })

  it('with indexes, completes each of them', async () => {
    create({ completions: 4, parallelism: 4, completionMode: 'Indexed' })
    await plane.idle()
    expect(job()?.status).toMatchObject({ succeeded: 4, completedIndexes: '0-3' })
    const names = plane.list('/pods').map((pod) => pod.metadata.name.replace(/-\d+$/, ''))
    expect(names).toEqual(['work-0', 'work-1', 'work-2', 'work-3'])
  })
})

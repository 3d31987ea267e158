import { beforeEach, describe, expect, it } from 'vitest'
import { manualClock, refOf } from '../../core/index.ts'
import type { WatchedCluster } from '../testing/watched-cluster.ts'
import { begin, waitedCluster } from './testdata/begin-wait.ts'
import { crashLoop, pod, waiting } from './testdata/workload-objects.ts'

const clock = manualClock()
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', message: 'starting' }] }
let cluster: WatchedCluster

beforeEach(() => {
  cluster = waitedCluster()
})

describe('a failure that may heal', () => {
  it('leaves a controller a minute to write a Secret, and says meanwhile how long', async () => {
    const missing = pod('web', undefined, waiting('CreateContainerConfigError', 'secret "db" not found'))
    const wait = begin(cluster, clock, [refOf(cluster.put(missing))])
    await wait.told('web', 'InProgress', 'secret "db" not found (fails in 60 s unless this heals)')
    await clock.advance(15_000)
    await wait.told('web', 'InProgress', 'secret "db" not found (fails in 45 s unless this heals)')
    await clock.advance(44_000)
    await wait.quiet()
    cluster.put(pod('web', undefined, ready))
    expect((await wait.result).objects).toMatchObject([{ status: 'Current' }])
  })

  it('counts when it has lasted that long, told without the countdown', async () => {
    const missing = pod('web', undefined, waiting('CreateContainerConfigError', 'secret "db" not found'))
    const wait = begin(cluster, clock, [refOf(cluster.put(missing))])
    await wait.told('web', 'InProgress', 'fails in 60 s')
    for (let second = 0; second < 60; second += 15) {
      await clock.advance(15_000)
      await wait.quiet()
    }
    expect(await wait.failure).toMatchObject({
      code: 'wait.failed',
      message: 'Pod shop/web failed: container main is in CreateContainerConfigError: secret "db" not found',
    })
  })

  it.each([600_000, -600_000])('has its time, no more and no less, when the clock is set by %d ms', async (jump) => {
    const missing = pod('web', undefined, waiting('CreateContainerConfigError', 'secret "db" not found'))
    const wait = begin(cluster, clock, [refOf(cluster.put(missing))])
    await wait.told('web', 'InProgress', 'fails in 60 s')
    clock.jump(jump)
    await clock.advance(15_000)
    await wait.told('web', 'InProgress', 'fails in 45 s')
    for (let second = 15; second < 60; second += 15) {
      await clock.advance(15_000)
      await wait.quiet()
    }
    expect(await wait.failure).toMatchObject({ code: 'wait.failed' })
  })

  it('counts when the time for everything is over before its own', async () => {
    const missing = pod('web', undefined, waiting('CreateContainerConfigError', 'secret "db" not found'))
    const wait = begin(cluster, clock, [refOf(cluster.put(missing))], { timeoutMs: 20_000 })
    await wait.told('web', 'InProgress', 'fails in 60 s')
    await clock.advance(20_000)
    expect(await wait.failure).toMatchObject({
      code: 'wait.failed',
      message: expect.stringMatching(/secret "db" not found$/),
    })
  })

  it('lasts through the kubelet’s back-off from an image', async () => {
    cluster.put(pod('web', undefined, waiting('ErrImagePull', 'connection refused')))
    const wait = begin(cluster, clock, [refOf(pod('web', undefined, {}))])
    await wait.told('web', 'InProgress', 'fails in 30 s')
    await clock.advance(2_000)
    cluster.put(pod('web', undefined, waiting('ImagePullBackOff', 'Back-off pulling image')))
    await wait.told('web', 'InProgress', 'Back-off pulling image (fails in 28 s')
    cluster.put(pod('web', undefined, ready))
    await wait.result
  })

  it('has the time that the caller gives, a crash loop too, however often it restarts meanwhile', async () => {
    cluster.put(pod('web', undefined, crashLoop()))
    const wait = begin(cluster, clock, [refOf(pod('web', undefined, {}))], { failGraceMs: 40_000 })
    await wait.told('web', 'InProgress', 'CrashLoopBackOff: exited with code 3 (fails in 40 s')
    await clock.advance(14_000)
    cluster.put(pod('web', undefined, running))
    await wait.told('web', 'InProgress', 'starting')
    await clock.advance(6_000)
    cluster.put(pod('web', undefined, crashLoop()))
    await wait.told('web', 'InProgress', 'fails in 20 s')
    for (let second = 0; second < 20; second += 5) {
      await clock.advance(5_000)
      await wait.quiet()
    }
    expect(await wait.failure).toMatchObject({ code: 'wait.failed', objects: [{ reason: 'CrashLoopBackOff' }] })
  })

  it.each(['CreateContainerConfigError', 'ImagePullBackOff', 'CrashLoopBackOff'])(
    '(%s) counts at once where no time is given',
    async (reason) => {
      const object = cluster.put(pod('web', undefined, waiting(reason)))
      const { objects } = await begin(cluster, clock, [refOf(object)], { failGraceMs: 0 }).failure
      expect(objects).toMatchObject([{ reason }])
    },
  )
})

describe('a failure that cannot heal', () => {
  it.each(['InvalidImageName', 'ErrImageNeverPull'])('(%s) is told at once, whatever time is given', async (reason) => {
    const object = cluster.put(pod('web', undefined, waiting(reason)))
    const { objects } = await begin(cluster, clock, [refOf(object)], { failGraceMs: 600_000 }).failure
    expect(objects).toMatchObject([{ reason }])
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { type KubeObject, manualClock, refOf } from '../../core/index.ts'
import type { WatchedCluster } from '../testing/watched-cluster.ts'
import { begin, waitedCluster } from './testdata/begin-wait.ts'
import {
  crashLoop,
  deployment,
  event,
  owned,
  pod,
  replicaSet,
  rolledOut,
  waiting,
  workload,
} from './testdata/workload-objects.ts'

const clock = manualClock()
let cluster: WatchedCluster

beforeEach(() => {
  cluster = waitedCluster()
})

describe('waiting for a Deployment', () => {
  it('fails as soon as a pod of its newest revision crash-loops, with events and the log of the run before', async () => {
    cluster.put(deployment('2'))
    cluster.put(replicaSet('web-new', '2'))
    const wait = begin(cluster, clock, [refOf(deployment('2'))])
    await wait.told('web', 'InProgress')
    cluster.logs.set('web-new-1/main/previous', lines(100))
    cluster.put(event('uid-web-new-1', 'BackOff', 'restarting failed container'))
    cluster.put(pod('web-new-1', owned('ReplicaSet', 'web-new'), crashLoop()))
    const { code, message, objects } = await wait.failure
    expect(code).toBe('wait.failed')
    expect(message).toBe(
      'Deployment.apps shop/web failed: pod web-new-1: container main is in CrashLoopBackOff: exited with code 3',
    )
    expect(objects[0]).toMatchObject({ status: 'Failed', reason: 'CrashLoopBackOff' })
    const [diagnosis] = objects[0]?.pods ?? []
    expect(diagnosis).toMatchObject({ ref: { name: 'web-new-1' }, container: 'main', reason: 'CrashLoopBackOff' })
    expect(diagnosis?.events).toMatchObject([{ reason: 'BackOff', message: 'restarting failed container' }])
    expect(diagnosis?.logTail).toHaveLength(20)
    expect(diagnosis?.logTail?.at(-1)).toBe('line 100')
  })

  it('is not failed by a crash-looping pod of an old revision', async () => {
    cluster.put(deployment('2'))
    cluster.put(replicaSet('web-old', '1'))
    cluster.put(pod('web-old-1', owned('ReplicaSet', 'web-old'), crashLoop()))
    const wait = begin(cluster, clock, [refOf(deployment('2'))])
    await wait.told('web', 'InProgress')
    cluster.put(pod('web-old-1', owned('ReplicaSet', 'web-old'), crashLoop(), { touched: 'yes' }))
    cluster.put(deployment('2', rolledOut))
    expect((await wait.result).objects[0]?.status).toBe('Current')
  })

  it('is not failed by the pods of another, even if they carry its labels', async () => {
    cluster.put(deployment('2'))
    cluster.put({
      ...replicaSet('api-new', '2'),
      metadata: { ...replicaSet('api-new', '2').metadata, ownerReferences: [owned('Deployment', 'api')] },
    })
    cluster.put(pod('api-new-1', owned('ReplicaSet', 'api-new'), crashLoop(), { app: 'web' }))
    const wait = begin(cluster, clock, [refOf(deployment('2'))])
    await wait.told('web', 'InProgress')
    cluster.put(deployment('2', rolledOut))
    await wait.result
  })

  it('does not look at pods before its controller has seen the new spec', async () => {
    cluster.put(deployment('1', { observedGeneration: 1 }))
    cluster.put(replicaSet('web-old', '1'))
    cluster.put(pod('web-old-1', owned('ReplicaSet', 'web-old'), crashLoop()))
    const wait = begin(cluster, clock, [refOf(deployment('1'))])
    await wait.told('web', 'InProgress')
    expect(cluster.requests.filter((request) => request.includes('/pods'))).toEqual([])
    cluster.put(deployment('2', { observedGeneration: 2 }))
    cluster.put(deployment('2', rolledOut))
    await wait.result
  })

  it('gives a passed deadline a moment, as it may be the one of the spec before', async () => {
    const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' }
    cluster.put(deployment('2', { observedGeneration: 2, conditions: [late] }))
    const wait = begin(cluster, clock, [refOf(deployment('2'))])
    await wait.told('web', 'InProgress', 'timed out')
    await clock.advance(10_000)
    expect(await wait.failure).toMatchObject({ code: 'wait.failed', objects: [{ reason: 'ProgressDeadlineExceeded' }] })
  })

  it('goes on without a look at pods that it may not watch', async () => {
    cluster.forbidden.add('/api/v1/namespaces/shop/pods')
    cluster.put(deployment('2'))
    const wait = begin(cluster, clock, [refOf(deployment('2'))])
    await wait.told('web', 'InProgress')
    cluster.put(deployment('2', rolledOut))
    await wait.result
  })

  it('warns of a pod that no node takes, once', async () => {
    const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }
    cluster.put(deployment('2'))
    cluster.put(replicaSet('web-new', '2'))
    const wait = begin(cluster, clock, [refOf(deployment('2'))])
    const pending = (name: string, touched: string): KubeObject =>
      pod(name, owned('ReplicaSet', 'web-new'), { phase: 'Pending', conditions: [unscheduled] }, { touched })
    cluster.put(pending('web-new-1', 'once'))
    const warning = await wait.saw((event) => event.type === 'warning')
    expect(warning).toMatchObject({
      ref: { name: 'web-new-1' },
      message: 'no node takes Pod shop/web-new-1: 0/3 nodes',
    })
    cluster.put(pending('web-new-1', 'twice'))
    cluster.put(pending('web-new-2', 'once'))
    await wait.saw((event) => event.type === 'warning' && event.ref?.name === 'web-new-2')
    cluster.put(deployment('2', rolledOut))
    await wait.result
    expect(wait.events.filter((event) => event.type === 'warning')).toHaveLength(2)
  })
})

describe('waiting for other workloads', () => {
  it('fails a StatefulSet by a pod of its update revision, not by one of the current', async () => {
    const set = (): KubeObject => ({
      ...workload('StatefulSet', 'db'),
      status: { observedGeneration: 2, currentRevision: 'db-a', updateRevision: 'db-b' },
    })
    cluster.put(set())
    cluster.put(pod('db-0', owned('StatefulSet', 'db'), crashLoop(), { 'controller-revision-hash': 'db-a' }))
    const wait = begin(cluster, clock, [refOf(set())])
    await wait.told('db', 'InProgress')
    cluster.put(pod('db-1', owned('StatefulSet', 'db'), crashLoop(), { 'controller-revision-hash': 'db-b' }))
    expect((await wait.failure).message).toContain('pod db-1:')
  })

  it('fails a DaemonSet by a pod of its highest revision', async () => {
    const set: KubeObject = { ...workload('DaemonSet', 'agent'), status: { observedGeneration: 2 } }
    cluster.put(set)
    for (const [hash, revision] of [
      ['old', 9],
      ['new', 10],
    ] as const) {
      const metadata = {
        name: `agent-${hash}`,
        namespace: 'shop',
        labels: { 'controller-revision-hash': hash },
        ownerReferences: [owned('DaemonSet', 'agent')],
      }
      cluster.put({ apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, revision })
    }
    cluster.put(pod('agent-1', owned('DaemonSet', 'agent'), crashLoop(), { 'controller-revision-hash': 'old' }))
    const wait = begin(cluster, clock, [refOf(set)])
    await wait.told('agent', 'InProgress')
    cluster.put(pod('agent-2', owned('DaemonSet', 'agent'), crashLoop(), { 'controller-revision-hash': 'new' }))
    expect((await wait.failure).message).toContain('pod agent-2:')
  })

  it('shows the failed pods of a failed Job with their log', async () => {
    const failed = { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'too often' }
    const terminated = {
      phase: 'Failed',
      containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 4 } } }],
    }
    cluster.put(pod('migrate-1', owned('Job', 'migrate'), terminated, { app: 'migrate' }))
    cluster.logs.set('migrate-1/main', 'no such table')
    const job = cluster.put({ ...workload('Job', 'migrate'), apiVersion: 'batch/v1', status: { conditions: [failed] } })
    const { objects } = await begin(cluster, clock, [refOf(job)]).failure
    expect(objects[0]?.pods).toMatchObject([
      { ref: { name: 'migrate-1' }, message: 'container main exited with code 4', logTail: ['no such table'] },
    ])
  })

  it('does not fail a Job by a crashing pod, but by an image that cannot be pulled', async () => {
    const job = cluster.put({ ...workload('Job', 'migrate'), apiVersion: 'batch/v1', status: { startTime: 'now' } })
    cluster.put(pod('migrate-1', owned('Job', 'migrate'), crashLoop()))
    const wait = begin(cluster, clock, [refOf(job)])
    await wait.told('migrate', 'InProgress')
    cluster.put(pod('migrate-1', owned('Job', 'migrate'), crashLoop(), { touched: 'yes' }))
    cluster.put(pod('migrate-2', owned('Job', 'migrate'), waiting('ImagePullBackOff')))
    await wait.told('migrate', 'InProgress', 'fails in 30 s unless this heals')
    await clock.advance(30_000)
    expect((await wait.failure).message).toContain('pod migrate-2:')
  })

  it('takes a Job that is gone for done when the events it left say so', async () => {
    const job = { ...workload('Job', 'migrate'), apiVersion: 'batch/v1' }
    const given = cluster.put(job)
    cluster.put(event('uid-migrate', 'Completed', 'Job completed'))
    const wait = begin(cluster, clock, [given])
    await wait.told('migrate', 'InProgress')
    cluster.remove(job)
    expect((await wait.result).objects[0]).toMatchObject({ status: 'Current' })
  })
})

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
}

import { beforeEach, describe, expect, it } from 'vitest'
import { context, isLadingError, type KubeObject, type LadingEvent, manualClock, refOf } from '../../core/index.ts'
import { type WatchedCluster, watchedCluster } from '../testing/watched-cluster.ts'
import type { WaitedObject } from './not-ready-error.ts'
import type { WaitTarget } from './tracked-object.ts'
import { waitForReady, type WaitOptions } from './wait-for-ready.ts'

const clock = manualClock()
let cluster: WatchedCluster

beforeEach(() => {
  cluster = watchedCluster(
    '/v1/Pod/pods',
    '/v1/Event/events',
    '/v1/ConfigMap/configmaps',
    'apps/v1/Deployment/deployments',
    'apps/v1/ReplicaSet/replicasets',
    'apps/v1/StatefulSet/statefulsets',
    'apps/v1/DaemonSet/daemonsets',
    'apps/v1/ControllerRevision/controllerrevisions',
    'batch/v1/Job/jobs',
    'example.com/v1/Widget/widgets',
    'apiextensions.k8s.io/v1/CustomResourceDefinition/customresourcedefinitions*',
  )
})

describe('waiting for a Deployment', () => {
  it('fails as soon as a pod of its newest revision crash-loops, with events and the log of the run before', async () => {
    cluster.put(deployment('2'))
    cluster.put(replicaSet('web-new', '2'))
    const wait = begin([refOf(deployment('2'))])
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
    const wait = begin([refOf(deployment('2'))])
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
    const wait = begin([refOf(deployment('2'))])
    await wait.told('web', 'InProgress')
    cluster.put(deployment('2', rolledOut))
    await wait.result
  })

  it('does not look at pods before its controller has seen the new spec', async () => {
    cluster.put(deployment('1', { observedGeneration: 1 }))
    cluster.put(replicaSet('web-old', '1'))
    cluster.put(pod('web-old-1', owned('ReplicaSet', 'web-old'), crashLoop()))
    const wait = begin([refOf(deployment('1'))])
    await wait.told('web', 'InProgress')
    expect(cluster.requests.filter((request) => request.includes('/pods'))).toEqual([])
    cluster.put(deployment('2', { observedGeneration: 2 }))
    cluster.put(deployment('2', rolledOut))
    await wait.result
  })

  it('gives a passed deadline a moment, as it may be the one of the spec before', async () => {
    const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' }
    cluster.put(deployment('2', { observedGeneration: 2, conditions: [late] }))
    const wait = begin([refOf(deployment('2'))])
    await wait.told('web', 'InProgress', 'timed out')
    await clock.advance(10_000)
    expect(await wait.failure).toMatchObject({ code: 'wait.failed', objects: [{ reason: 'ProgressDeadlineExceeded' }] })
  })

  it('goes on without a look at pods that it may not watch', async () => {
    cluster.forbidden.add('/api/v1/namespaces/shop/pods')
    cluster.put(deployment('2'))
    const wait = begin([refOf(deployment('2'))])
    await wait.told('web', 'InProgress')
    cluster.put(deployment('2', rolledOut))
    await wait.result
  })

  it('warns of a pod that no node takes, once', async () => {
    const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }
    cluster.put(deployment('2'))
    cluster.put(replicaSet('web-new', '2'))
    const wait = begin([refOf(deployment('2'))])
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
    const wait = begin([refOf(set())])
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
    const wait = begin([refOf(set)])
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
    const { objects } = await begin([refOf(job)]).failure
    expect(objects[0]?.pods).toMatchObject([
      { ref: { name: 'migrate-1' }, message: 'container main exited with code 4', logTail: ['no such table'] },
    ])
  })

  it('does not fail a Job by a crashing pod, but by an image that cannot be pulled', async () => {
    const job = cluster.put({ ...workload('Job', 'migrate'), apiVersion: 'batch/v1', status: { startTime: 'now' } })
    cluster.put(pod('migrate-1', owned('Job', 'migrate'), crashLoop()))
    const wait = begin([refOf(job)])
    await wait.told('migrate', 'InProgress')
    cluster.put(pod('migrate-1', owned('Job', 'migrate'), crashLoop(), { touched: 'yes' }))
    cluster.put(pod('migrate-2', owned('Job', 'migrate'), waiting('ImagePullBackOff')))
    expect((await wait.failure).message).toContain('pod migrate-2:')
  })

  it('takes a Job that is gone for done when the events it left say so', async () => {
    const job = { ...workload('Job', 'migrate'), apiVersion: 'batch/v1' }
    const given = cluster.put(job)
    cluster.put(event('uid-migrate', 'Completed', 'Job completed'))
    const wait = begin([given])
    await wait.told('migrate', 'InProgress')
    cluster.remove(job)
    expect((await wait.result).objects[0]).toMatchObject({ status: 'Current' })
  })
})

describe('waiting', () => {
  it('asks nothing for kinds that nobody works on', async () => {
    const given = cluster.put(configMap('a'))
    await begin([given]).result
    expect(cluster.requests).toEqual([])
  })

  it('watches each object by its name, many of a kind together', async () => {
    const few = ['a', 'b'].map((name) => refOf(cluster.put(configMap(name))))
    await begin(few).result
    expect(cluster.requests.filter((request) => request.startsWith('GET')).sort()).toEqual([
      'GET /api/v1/namespaces/shop/configmaps?metadata.name=a',
      'GET /api/v1/namespaces/shop/configmaps?metadata.name=b',
    ])
    const many = ['c', 'd', 'e', 'f'].map((name) => refOf(cluster.put(configMap(name))))
    await begin(many).result
    expect(cluster.requests.filter((request) => request === 'GET /api/v1/namespaces/shop/configmaps')).toHaveLength(1)
  })

  it('waits for the same object once', async () => {
    const given = cluster.put(configMap('a'))
    expect((await begin([given, refOf(given)]).result).objects).toHaveLength(1)
  })

  it('does not judge a state older than the one that the caller has', async () => {
    const old = cluster.put(widget(1, [{ type: 'Ready', status: 'True' }]))
    const given = { ...old, metadata: { ...old.metadata, generation: 2 } }
    const wait = begin([given])
    await wait.quiet()
    cluster.put(widget(2, [{ type: 'Ready', status: 'True', message: 'new' }]))
    await wait.result
    expect(wait.events).toMatchObject([{ status: 'Current', message: 'new' }])
  })

  it('reads the published schema when it may not read CRDs', async () => {
    cluster.forbidden.add('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com')
    const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
    const properties = { status: { properties: { conditions: {} } } }
    const schemas = { Widget: { 'x-kubernetes-group-version-kind': [gvk], properties } }
    cluster.documents.set('/openapi/v3/apis/example.com/v1', { components: { schemas } })
    const wait = begin([refOf(cluster.put(widget(1)))])
    await wait.told('w', 'InProgress', 'has not written a status')
    cluster.put(widget(1, [{ type: 'Ready', status: 'True' }]))
    await wait.result
  })

  it('ends in time and names what is not ready', async () => {
    const wait = begin([refOf(configMap('absent'))], { timeoutMs: 60_000 })
    await wait.told('absent', 'NotFound')
    await clock.advance(60_000)
    expect(await wait.failure).toMatchObject({
      code: 'wait.timeout',
      message: 'ConfigMap shop/absent is not ready after 60 s: does not exist',
      objects: [{ status: 'NotFound' }],
    })
  })

  it('gives a registry time to recover, and fails when it does not', async () => {
    const object = pod('web', undefined, waiting('ErrImagePull', 'connection refused'))
    cluster.put(object)
    const wait = begin([refOf(object)], { graceMs: 5_000 })
    await wait.told('web', 'InProgress', 'connection refused')
    await clock.advance(5_000)
    expect(await wait.failure).toMatchObject({ code: 'wait.failed', objects: [{ reason: 'ErrImagePull' }] })
  })

  it('caps what it keeps of a log', async () => {
    cluster.logs.set('web/main', `${'x'.repeat(100_000)}\n${lines(3)}`)
    const object = cluster.put(pod('web', undefined, crashLoop()))
    const { objects } = await begin([refOf(object)]).failure
    expect(objects[0]?.pods?.[0]?.logTail).toEqual(['line 1', 'line 2', 'line 3'])
  })

  it('leaves the diagnosis out when asked to', async () => {
    const object = cluster.put(pod('web', undefined, crashLoop()))
    const { objects } = await begin([refOf(object)], { diagnose: false }).failure
    expect(objects).toEqual([
      { ref: refOf(object), status: 'Failed', reason: 'CrashLoopBackOff', message: expect.any(String) },
    ])
    expect(cluster.requests.filter((request) => /events|LOG/.test(request))).toEqual([])
  })

  it('leaves no watch behind when nobody listens any more', async () => {
    const wait = waitForReady(cluster, [refOf(configMap('absent'))], {}, context({ clock }))
    await wait.next()
    const sleeping = clock.sleeping
    await wait.return(undefined as never)
    expect(clock.sleeping).toBeLessThan(sleeping)
  })
})

interface Failure {
  readonly code: string
  readonly message: string
  readonly objects: readonly WaitedObject[]
}

function begin(targets: readonly WaitTarget[], options: WaitOptions = {}) {
  const events: LadingEvent[] = []
  const listeners = new Set<() => void>()
  const run = async () => {
    const wait = waitForReady(cluster, targets, options, context({ clock }))
    for (;;) {
      const next = await wait.next()
      if (next.done === true) return next.value
      events.push(next.value)
      for (const listener of listeners) listener()
    }
  }
  const result = run()
  const failure = result.then(
    (): Failure => {
      throw new Error(`the wait did not fail: ${JSON.stringify(events)}`)
    },
    (error: unknown): Failure => {
      if (!isLadingError(error)) throw error
      return { code: error.code, message: error.message, objects: error.details['objects'] as WaitedObject[] }
    },
  )
  failure.catch(() => undefined)
  const saw = (fits: (event: LadingEvent) => boolean): Promise<LadingEvent> => {
    const seen = new Promise<LadingEvent>((resolve) => {
      const look = (): void => {
        const event = events.find(fits)
        if (event !== undefined) resolve(event)
      }
      listeners.add(look)
      look()
    })
    const ended = result.then(() => {
      throw new Error(`the wait ended early: ${JSON.stringify(events)}`)
    })
    return Promise.race([seen, ended])
  }
  return {
    events,
    result,
    failure,
    saw,
    told: (name: string, status: string, text = '') =>
      saw(
        (event) =>
          event.type === 'status' && event.ref.name === name && event.status === status && event.message.includes(text),
      ),
    /** Lets everything that is under way come to rest. */
    quiet: async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const rolledOut = {
  observedGeneration: 2,
  replicas: 1,
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
  conditions: [
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    { type: 'Available', status: 'True' },
  ],
}

function workload(kind: string, name: string): KubeObject {
  const spec = { replicas: 1, selector: { matchLabels: { app: name } } }
  return { apiVersion: 'apps/v1', kind, metadata: { name, namespace: 'shop', generation: 2 }, spec }
}

function deployment(revision: string, status: Record<string, unknown> = { observedGeneration: 2 }): KubeObject {
  const object = workload('Deployment', 'web')
  const annotations = { 'deployment.kubernetes.io/revision': revision }
  return { ...object, metadata: { ...object.metadata, annotations }, status }
}

function replicaSet(name: string, revision: string): KubeObject {
  const annotations = { 'deployment.kubernetes.io/revision': revision }
  const metadata = { name, namespace: 'shop', annotations, ownerReferences: [owned('Deployment', 'web')] }
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata }
}

function owned(kind: string, name: string) {
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1'
  return { apiVersion, kind, name, uid: `uid-${name}`, controller: true }
}

function pod(
  name: string,
  owner: ReturnType<typeof owned> | undefined,
  status: Record<string, unknown>,
  labels: Record<string, string> = {},
): KubeObject {
  const app = owner?.name.split('-')[0] ?? name
  const metadata = { name, namespace: 'shop', labels: { app, ...labels }, ...(owner && { ownerReferences: [owner] }) }
  return { apiVersion: 'v1', kind: 'Pod', metadata, status }
}

function waiting(reason: string, message = ''): Record<string, unknown> {
  return { phase: 'Pending', containerStatuses: [{ name: 'main', state: { waiting: { reason, message } } }] }
}

function crashLoop(): Record<string, unknown> {
  const state = { waiting: { reason: 'CrashLoopBackOff' } }
  const lastState = { terminated: { exitCode: 3, reason: 'Error' } }
  return { phase: 'Running', containerStatuses: [{ name: 'main', restartCount: 2, state, lastState }] }
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } }
}

function widget(generation: number, conditions?: readonly unknown[]): KubeObject {
  const metadata = { name: 'w', namespace: 'shop', generation }
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, ...(conditions && { status: { conditions } }) }
}

function event(uid: string, reason: string, message: string): KubeObject {
  const metadata = { name: `${uid}.${reason}`, namespace: 'shop' }
  const facts = { type: 'Warning', reason, message, lastTimestamp: '2026-01-01T00:00:05Z' }
  return { apiVersion: 'v1', kind: 'Event', metadata, ...facts, involvedObject: { uid } }
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
}

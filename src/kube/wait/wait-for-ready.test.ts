import { beforeEach, describe, expect, it } from 'vitest'
import { type Clock, context, type KubeObject, manualClock, refOf } from '../../core/index.ts'
import type { WatchedCluster } from '../testing/watched-cluster.ts'
import { begin, waitedCluster } from './testdata/begin-wait.ts'
import { crashLoop, deployment, pod, rolledOut, waiting } from './testdata/workload-objects.ts'
import { waitForReady } from './wait-for-ready.ts'

const clock = manualClock()
let cluster: WatchedCluster

beforeEach(() => {
  cluster = waitedCluster()
})

describe('waiting', () => {
  it('asks nothing for kinds that nobody works on', async () => {
    const given = cluster.put(configMap('a'))
    await begin(cluster, clock, [given]).result
    expect(cluster.requests).toEqual([])
  })

  it('watches each object by its name, many of a kind together', async () => {
    const few = ['a', 'b'].map((name) => refOf(cluster.put(configMap(name))))
    await begin(cluster, clock, few).result
    expect(cluster.requests.filter((request) => request.startsWith('GET')).sort()).toEqual([
      'GET /api/v1/namespaces/shop/configmaps?metadata.name=a',
      'GET /api/v1/namespaces/shop/configmaps?metadata.name=b',
    ])
    const many = ['c', 'd', 'e', 'f'].map((name) => refOf(cluster.put(configMap(name))))
    await begin(cluster, clock, many).result
    expect(cluster.requests.filter((request) => request === 'GET /api/v1/namespaces/shop/configmaps')).toHaveLength(1)
  })

  it('waits for the same object once', async () => {
    const given = cluster.put(configMap('a'))
    expect((await begin(cluster, clock, [given, refOf(given)]).result).objects).toHaveLength(1)
  })

  it('does not judge a state older than the one that the caller has', async () => {
    const old = cluster.put(widget(1, [{ type: 'Ready', status: 'True' }]))
    const given = { ...old, metadata: { ...old.metadata, generation: 2 } }
    const wait = begin(cluster, clock, [given])
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
    const wait = begin(cluster, clock, [refOf(cluster.put(widget(1)))])
    await wait.told('w', 'InProgress', 'has not written a status')
    cluster.put(widget(1, [{ type: 'Ready', status: 'True' }]))
    await wait.result
  })

  describe('for a custom resource that nobody reports on', () => {
    beforeEach(() => cluster.put(widgetCrd))

    it('ends when the grace for a first status is over', async () => {
      const wait = begin(cluster, clock, [refOf(cluster.put(widget(1)))], { timeoutMs: 300_000 })
      await wait.told('w', 'InProgress', 'has not written a status')
      await clock.advance(10_000)
      expect((await wait.result).objects).toMatchObject([
        { status: 'Current', message: 'no controller has written a status in 10 s: it counts as ready' },
      ])
    })

    it('ends too where the timer rings a moment before the clock says so', async () => {
      const sleep: Clock['sleep'] = (ms, signal) => clock.sleep(ms === 10_000 ? 9_999 : ms, signal)
      const hasty = { now: () => clock.now(), sleep }
      const wait = begin(cluster, hasty, [refOf(cluster.put(widget(1)))], { timeoutMs: 300_000 })
      await wait.told('w', 'InProgress', 'has not written a status')
      await clock.advance(9_999)
      await wait.quiet()
      await clock.advance(1)
      expect((await wait.result).objects).toMatchObject([{ status: 'Current' }])
    })

    it('goes on when its controller reports within the grace', async () => {
      const wait = begin(cluster, clock, [refOf(cluster.put(widget(1)))], { timeoutMs: 300_000 })
      await wait.told('w', 'InProgress', 'has not written a status')
      cluster.put(widget(1, [{ type: 'Ready', status: 'False', message: 'creating' }]))
      await wait.told('w', 'InProgress', 'creating')
      await clock.advance(60_000)
      await wait.quiet()
      cluster.put(widget(1, [{ type: 'Ready', status: 'True', message: 'done' }]))
      expect((await wait.result).objects).toMatchObject([{ status: 'Current', message: 'done' }])
    })

    it('gives a controller of the same set the grace from when it is ready itself', async () => {
      cluster.put(deployment('2'))
      const targets = [refOf(cluster.put(widget(1))), refOf(deployment('2'))]
      const wait = begin(cluster, clock, targets, { timeoutMs: 300_000 })
      await wait.told('w', 'InProgress', 'has not written a status')
      await wait.told('web', 'InProgress')
      await clock.advance(120_000)
      await wait.quiet()
      cluster.put(deployment('2', rolledOut))
      await wait.told('web', 'Current')
      await clock.advance(9_000)
      await wait.quiet()
      expect(wait.events.filter((event) => event.type === 'status' && event.ref.name === 'w')).toHaveLength(1)
      await clock.advance(1_000)
      await wait.result
    })

    it.each([600_000, -600_000])('waits as long when the clock is set by %d ms meanwhile', async (jump) => {
      const wait = begin(cluster, clock, [refOf(cluster.put(widget(1)))], { statusGraceMs: 10_000 })
      await wait.quiet()
      let ended = false
      void wait.result.then(() => (ended = true))
      clock.jump(jump)
      await clock.advance(9_000)
      cluster.put(widget(1))
      await wait.quiet()
      expect(ended).toBe(false)
      await clock.advance(1_000)
      expect(await wait.result).toMatchObject({ objects: [{ status: 'Current' }], waitedMs: 10_000 })
    })

    it('does not wait at all where no grace is given', async () => {
      const wait = begin(cluster, clock, [refOf(cluster.put(widget(1)))], { statusGraceMs: 0 })
      expect((await wait.result).objects).toMatchObject([{ status: 'Current' }])
    })

    it('goes by the rule that the object has for itself', async () => {
      const own = widget(1)
      own.metadata.annotations = { 'lading.dev/ready-when': 'status.phase == "Done"' }
      const wait = begin(cluster, clock, [refOf(cluster.put(own))], { timeoutMs: 60_000 })
      await wait.told('w', 'InProgress', 'readiness rule')
      await clock.advance(60_000)
      expect((await wait.failure).code).toBe('wait.timeout')
    })
  })

  it('ends in time and names what is not ready', async () => {
    const wait = begin(cluster, clock, [refOf(configMap('absent'))], { timeoutMs: 60_000 })
    await wait.told('absent', 'NotFound')
    await clock.advance(60_000)
    expect(await wait.failure).toMatchObject({
      code: 'wait.timeout',
      message: 'ConfigMap shop/absent is not ready after 60 s: does not exist',
      objects: [{ status: 'NotFound' }],
    })
  })

  it.each([600_000, -600_000])(
    'ends in time, and says how long it waited, when the clock is set by %d ms',
    async (jump) => {
      const wait = begin(cluster, clock, [refOf(configMap('absent'))], { timeoutMs: 60_000 })
      await wait.told('absent', 'NotFound')
      await clock.advance(30_000)
      clock.jump(jump)
      await wait.quiet()
      await clock.advance(30_000)
      expect(await wait.failure).toMatchObject({
        code: 'wait.timeout',
        message: 'ConfigMap shop/absent is not ready after 60 s: does not exist',
      })
    },
  )

  it('gives a registry time to recover, and fails when it does not', async () => {
    const object = pod('web', undefined, waiting('ErrImagePull', 'connection refused'))
    cluster.put(object)
    const wait = begin(cluster, clock, [refOf(object)], { failGraceMs: 5_000 })
    await wait.told('web', 'InProgress', 'connection refused')
    await clock.advance(5_000)
    expect(await wait.failure).toMatchObject({ code: 'wait.failed', objects: [{ reason: 'ErrImagePull' }] })
  })

  it('caps what it keeps of a log', async () => {
    cluster.logs.set('web/main', `${'x'.repeat(100_000)}\n${lines(3)}`)
    const object = cluster.put(pod('web', undefined, crashLoop()))
    const { objects } = await begin(cluster, clock, [refOf(object)]).failure
    expect(objects[0]?.pods?.[0]?.logTail).toEqual(['line 1', 'line 2', 'line 3'])
  })

  it('leaves the diagnosis out when asked to', async () => {
    const object = cluster.put(pod('web', undefined, crashLoop()))
    const { objects } = await begin(cluster, clock, [refOf(object)], { diagnose: false }).failure
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

const widgetCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    versions: [
      {
        name: 'v1',
        subresources: { status: {} },
        schema: { openAPIV3Schema: { properties: { status: { properties: { conditions: {} } } } } },
      },
    ],
  },
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } }
}

function widget(generation: number, conditions?: readonly unknown[]): KubeObject {
  const metadata = { name: 'w', namespace: 'shop', generation }
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, ...(conditions && { status: { conditions } }) }
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
}

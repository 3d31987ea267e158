import { Duplex } from 'node:stream'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, LadingError, type LadingEvent, manualClock } from '../../core/index.ts'
import {
  applyObject,
  type Cluster,
  connect,
  type Connected,
  createObject,
  deleteObject,
  listObjects,
  waitForReady,
} from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { install } from '../run/operations.ts'
import { createMemoryStore } from '../storage/memory-store.ts'
import { checkHealth, type HealthResult } from './check-health.ts'

const ctx = context()
const http = {
  'sherpack.io/health-check': 'true',
  'sherpack.io/health-check-type': 'http',
  'sherpack.io/health-check-path': '/healthz',
}

describe('health', () => {
  let sandbox: Sandbox
  let connected: Connected
  let cluster: Cluster
  let namespace: string
  let asked: string[]
  /** What the application answers to http checks, the last for ever. */
  let answers: (number | LadingError)[]
  /** How the commands end, the last for ever. */
  let exits: number[]
  let counter = 0

  beforeAll(async () => {
    sandbox = await startSandbox()
    connected = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  })

  afterAll(async () => {
    await connected.close()
    await sandbox.stop()
  })

  beforeEach(async () => {
    counter += 1
    namespace = `h${counter}`
    asked = []
    answers = [200]
    exits = [0]
    cluster = withApplication(connected)
    await createObject(connected, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
  })

  it('of a workload wants an answer of each of its pods, through the API server', async () => {
    answers = [503, 503, 302, 200]
    const web = await applied(deployment({ ...http, 'sherpack.io/health-check-port': 'web' }, 2))
    const events: LadingEvent[] = []
    const result = await run(checkHealth(cluster, [web], { intervalMs: 1 }, ctx), events)
    expect(result).toMatchObject({ state: 'healthy', objects: [{ state: 'healthy' }] })
    expect(result).not.toHaveProperty('failure')
    const path = new RegExp(`^/api/v1/namespaces/${namespace}/pods/web-[a-z0-9-]+%3A8080/proxy/healthz$`)
    expect(asked).toHaveLength(4)
    expect(new Set(asked).size).toBe(2)
    for (const one of asked) expect(one).toMatch(path)
    const told = events.flatMap((event) =>
      event.type === 'status' && event.message.includes('check') ? [event.message] : [],
    )
    expect(told).toEqual([
      expect.stringMatching(/^health check GET \/healthz on web-.*:8080 answered 503$/),
      'health check GET /healthz passed in 2 pods',
    ])
  })

  it('of a Service is asked of the Service', async () => {
    const service = await applied({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace, annotations: { ...http, 'sherpack.io/health-check-port': '80' } },
      spec: { ports: [{ port: 80 }] },
    })
    expect(await run(checkHealth(cluster, [service], {}, ctx))).toMatchObject({ state: 'healthy' })
    expect(asked).toEqual([`/api/v1/namespaces/${namespace}/services/web%3A80/proxy/healthz`])
  })

  it('that does not come in time is degraded, and says what was answered', async () => {
    answers = [500]
    const web = await applied(deployment({ ...http, 'sherpack.io/health-check-port': '8080' }))
    // Ready first, so that the time is spent on the checks alone.
    await run(waitForReady(cluster, [web], {}, ctx))
    const result = await run(checkHealth(cluster, [web], { intervalMs: 5, timeoutMs: 2_000 }, ctx))
    expect(result).toMatchObject({ state: 'degraded', objects: [{ state: 'degraded' }] })
    expect(result.failure?.code).toBe('wait.timeout')
    expect(result.failure?.message).toMatch(
      /Deployment\.apps h\d+\/web: health check GET \/healthz on web-.* answered 500/,
    )
  })

  it('that the identity may not look at is refused at once', async () => {
    answers = [new LadingError('kube.forbidden', 'pods/proxy is forbidden', { status: 403, reason: 'Forbidden' })]
    const web = await applied(deployment({ ...http, 'sherpack.io/health-check-port': '8080' }))
    await expect(run(checkHealth(cluster, [web], {}, ctx))).rejects.toMatchObject({ code: 'kube.forbidden' })
  })

  it('by command is what the command in the pod ends with', async () => {
    exits = [3, 0]
    const annotations = { 'sherpack.io/health-check': 'true', 'sherpack.io/health-check-command': '/bin/check "a b"' }
    const web = await applied(deployment(annotations))
    const events: LadingEvent[] = []
    expect(await run(checkHealth(cluster, [web], { intervalMs: 1 }, ctx), events)).toMatchObject({ state: 'healthy' })
    expect(asked[0]).toMatch(
      /\/pods\/web-[a-z0-9-]+\/exec\?stdout=true&stderr=true&container=main&command=%2Fbin%2Fcheck&command=a\+b$/,
    )
    const told = events.flatMap((event) => (event.type === 'status' ? [event.message] : []))
    expect(told).toContainEqual(expect.stringMatching(/health check \/bin\/check in pod web-.* ended with 3: not yet/))
  })

  it('of what fails is known without waiting for the checks', async () => {
    answers = [500]
    const web = await applied(deployment({ ...http, 'sherpack.io/health-check-port': '8080' }, 1, 'crash-loop'))
    const result = await run(checkHealth(cluster, [web], { timeoutMs: 20_000 }, ctx))
    expect(result).toMatchObject({ state: 'failed', objects: [{ state: 'failed' }], failure: { code: 'wait.failed' } })
  })

  it.each([600_000, -600_000])(
    'has to last for the whole window when the clock is set by %d ms meanwhile',
    async (jump) => {
      const clock = manualClock(Date.now())
      const web = await applied(deployment({}))
      const checking = checkHealth(cluster, [web], { stabilizationMs: 30_000 }, context({ clock }))
      for (let told: LadingEvent | undefined; told?.type !== 'progress';) {
        const { value, done } = await checking.next()
        if (done === true) throw new Error('it ended early')
        told = value
      }
      const sleeping = clock.sleeping
      const ending = checking.next()
      while (clock.sleeping <= sleeping) await new Promise((resolve) => setImmediate(resolve))
      clock.jump(jump)
      await clock.advance(30_000)
      expect(await ending).toMatchObject({ done: true, value: { state: 'healthy', waitedMs: 30_000 } })
    },
  )

  it('has to last for the window, which begins again when it does not', async () => {
    const clock = manualClock(Date.now())
    const web = await applied(deployment({}))
    const checking = checkHealth(cluster, [web], { stabilizationMs: 30_000 }, context({ clock }))
    const events: LadingEvent[] = []
    const progress = async (): Promise<void> => {
      for (;;) {
        const { value, done } = await checking.next()
        if (done === true) throw new Error('it ended early')
        events.push(value)
        if (value.type === 'progress') return
      }
    }
    await progress()
    const again = progress()
    const { items } = await listObjects(connected, { gvk: { group: '', version: 'v1', kind: 'Pod' }, namespace }, ctx)
    for (const { metadata } of items) {
      await deleteObject(
        connected,
        { group: '', version: 'v1', kind: 'Pod', namespace, name: metadata.name },
        { wait: false },
        ctx,
      )
    }
    await again
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual([
      expect.stringContaining('did not stay healthy'),
    ])
    const ending = checking.next()
    const minute = async (): Promise<void> => {
      for (let second = 0; second < 60; second += 1) await clock.advance(1_000)
    }
    const [{ value }] = await Promise.all([ending, minute()])
    expect(value).toMatchObject({ state: 'healthy' })
  })

  it('is told at once when the time allowed is shorter than the window', async () => {
    const web = await applied(deployment({}))
    const result = await run(checkHealth(cluster, [web], { timeoutMs: 20_000, stabilizationMs: 30_000 }, ctx))
    expect(result).toMatchObject({ state: 'progressing', failure: { code: 'wait.timeout' } })
  })

  it('decides about a release that waits', async () => {
    answers = [500]
    const engine = { cluster, store: createMemoryStore() }
    const content = {
      release: { name: 'shop', namespace },
      objects: [deployment({ ...http, 'sherpack.io/health-check-port': '8080' })],
      source: { type: 'manifest', name: 'shop' },
      values: {},
      provenance: { sources: {} },
    } as const
    await expect(run(install(engine, content, { wait: true, healthTimeoutMs: 1_500 }, ctx))).rejects.toMatchObject({
      code: 'release.failed',
      message: expect.stringContaining('answered 500'),
    })
    answers = [200]
    const { outcome } = await run(install(engine, content, { stabilizationMs: 20 }, ctx))
    expect(outcome).toBe('deployed')
  })

  async function applied(object: KubeObject): Promise<KubeObject> {
    await applyObject(connected, object, {}, ctx)
    return object
  }

  function deployment(annotations: Record<string, string>, replicas = 1, simulate?: string): KubeObject {
    const labels = { app: 'web' }
    const marks = simulate === undefined ? {} : { 'lading.dev/simulate': simulate }
    const containers = [{ name: 'main', image: 'x', ports: [{ name: 'web', containerPort: 8080 }] }]
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace, annotations },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels, annotations: marks }, spec: { containers } },
      },
    }
  }

  /** The sandbox has neither the proxy nor exec: what the application behind them would answer is scripted. */
  function withApplication({ transport, discovery }: Cluster): Cluster {
    const next = <T>(script: T[]): T => (script.length > 1 ? (script.shift() as T) : (script[0] as T))
    return {
      discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        request: async (request, own) => {
          if (!request.path.includes('/proxy/')) return await transport.request(request, own)
          asked.push(request.path)
          const answer = next(answers)
          if (answer instanceof LadingError) throw answer
          if (answer < 300) return { status: answer, headers: {}, body: 'ok', warnings: [] }
          throw new LadingError('kube.server-error', 'the API server answered', { status: answer })
        },
        stream: (request, own) => transport.stream(request, own),
        upgrade: async (request) => {
          asked.push(request.path)
          const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
          expect(request.proof).toBe(createHash('sha1').update(key).digest('base64'))
          return { socket: finished(next(exits)) }
        },
        close: () => transport.close(),
      },
    }
  }
})

/** The connection of a command that ended. */
function finished(exitCode: number): Duplex {
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }]
  const failure = { status: 'Failure', reason: 'NonZeroExitCode', details: { causes } }
  const frames = [
    ...(exitCode === 0 ? [] : [frame(`\u0002not yet\n`)]),
    frame(`\u0003${JSON.stringify(exitCode === 0 ? { status: 'Success' } : failure)}`),
    Buffer.from([0x88, 0]),
  ]
  return new Duplex({
    read() {
      this.push(frames.shift() ?? null)
    },
    write(_chunk, _encoding, done) {
      done()
    },
  })
}

function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = payload.length < 126 ? [0x82, payload.length] : [0x82, 126, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from(head), payload])
}

async function run<Result extends HealthResult | object>(
  operation: AsyncGenerator<LadingEvent, Result>,
  events: LadingEvent[] = [],
): Promise<Result> {
  for (;;) {
    const next = await operation.next()
    if (next.done === true) return next.value
    events.push(next.value)
  }
}

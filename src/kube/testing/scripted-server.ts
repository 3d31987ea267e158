import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, type KubeObject, manualClock, monotonicNow, type ManualClock } from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { staticConnection } from '../connect/connection.ts'
import { createTransport } from '../transport/undici-transport.ts'

/** A request as a script sees it. */
export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string
  readonly message: IncomingMessage
}

/** Answers one request. */
export type Script = (response: ServerResponse, request: ScriptedRequest) => void

/** An API server that says what a test tells it to. */
export interface ScriptedServer {
  readonly cluster: Cluster
  readonly requests: readonly ScriptedRequest[]
  /** How often discovery was thrown away. */
  readonly invalidations: () => number
  close(): Promise<void>
}

/** Starts a server whose every answer comes from the script; it serves ConfigMaps without being asked what it serves. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []
  const server = createServer((message, response) => {
    const url = new URL(message.url ?? '/', 'http://server')
    const request = {
      method: message.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      accept: message.headers.accept ?? '',
      message,
    }
    requests.push(request)
    script(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const transport = createTransport(staticConnection(`http://127.0.0.1:${port}`, { headers: {} }), {
    retry: { attempts: 1, throttledAttempts: 1 },
  })
  let invalidations = 0
  return {
    cluster: {
      transport,
      discovery: {
        find: async (gvk) => (gvk.kind === 'ConfigMap' ? configMaps : undefined),
        all: async () => [configMaps],
        invalidate: () => (invalidations += 1),
      },
    },
    requests,
    invalidations: () => invalidations,
    async close() {
      server.closeAllConnections()
      await transport.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Lists come from `lists`, watches from `watches`, one script for each request in turn; the last one stays. */
export function listsAndWatches(lists: readonly Script[], watches: readonly Script[]): Script {
  const served = { list: 0, watch: 0 }
  return (response, request) => {
    const watch = request.query.get('watch') === 'true'
    const scripts = watch ? watches : lists
    const turn = watch ? served.watch++ : served.list++
    const script = scripts[Math.min(turn, scripts.length - 1)]
    if (script === undefined) throw new Error(`no script for ${request.path}`)
    script(response, request)
  }
}

/** Answers with a list. */
export function list(resourceVersion: string, ...items: readonly KubeObject[]): Script {
  return json(200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion }, items: items.map(bare) })
}

/** Answers with JSON. */
export function json(status: number, body: unknown): Script {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers with a Status. */
export function status(code: number, facts: Record<string, unknown> = {}): Script {
  return json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: `status ${code}`, ...facts })
}

/** Answers a watch with events; what happens then is up to `then`, by default the connection stays open. */
export function events(lines: readonly unknown[], then: 'stay' | 'close' | 'reset' = 'stay'): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
    const end = (): void => {
      if (then === 'close') response.end()
      if (then === 'reset') response.destroy()
    }
    if (text === '') end()
    else response.write(text, end)
  }
}

/** One line of a watch. */
export function line(type: string, object: unknown): { type: string; object: unknown } {
  return { type, object }
}

/** A bookmark line of a watch. */
export function bookmark(resourceVersion: string): { type: string; object: unknown } {
  return line('BOOKMARK', {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { resourceVersion, creationTimestamp: null },
  })
}

/** A ConfigMap in namespace `ns`. */
export function configMap(name: string, resourceVersion: string, value = '', uid = `uid-${name}`): KubeObject {
  const metadata = { name, namespace: 'ns', uid, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } }
}

/** A clock that stands still and tells who goes to sleep. */
export interface WatchedClock extends ManualClock {
  /** Fulfilled when somebody sleeps for a time that fits, now or later. */
  untilSleeping(fits: (ms: number) => boolean): Promise<void>
}

/** A manual clock for tests that mix its time with real connections. */
export function watchedClock(): WatchedClock {
  const clock = manualClock()
  const asleep: number[] = []
  let waiting: { fits: (ms: number) => boolean; resolve: () => void }[] = []
  const sleep: Clock['sleep'] = (ms, signal) => {
    asleep.push(ms)
    for (const each of waiting) if (each.fits(ms)) each.resolve()
    waiting = waiting.filter((each) => !each.fits(ms))
    return clock.sleep(ms, signal).finally(() => asleep.splice(asleep.indexOf(ms), 1))
  }
  return {
    now: () => clock.now(),
    monotonic: () => monotonicNow(clock),
    advance: (ms) => clock.advance(ms),
    jump: (ms) => clock.jump(ms),
    get sleeping() {
      return clock.sleeping
    },
    sleep,
    untilSleeping: (fits) =>
      new Promise((resolve) => {
        if (asleep.some(fits)) resolve()
        else waiting.push({ fits, resolve })
      }),
  }
}

/** The resource that scripted servers serve. */
export const configMaps: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create'],
  shortNames: ['cm'],
  categories: [],
  subresources: [],
}

/** Items of a typed list come without apiVersion and kind. */
function bare({ apiVersion: _apiVersion, kind: _kind, ...rest }: KubeObject): unknown {
  return rest
}

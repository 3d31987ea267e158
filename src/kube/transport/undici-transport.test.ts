import { describe, expect, it } from 'vitest'
import { context, LadingError, type LogFields, manualClock, silentLog } from '../../core/index.ts'
import { staticConnection } from '../connect/connection.ts'
import { sendJson, startTestServer } from '../connect/testdata/test-server.ts'
import { createTransport } from './undici-transport.ts'
import { closing, create, failure, get, transportTo } from '../testing/test-transport.ts'

const applyType = 'application/apply-patch+yaml'

describe('a request', () => {
  it('carries method, path, query, credentials and a JSON body', async () => {
    await using server = await startTestServer((res) => sendJson(res, 201, { ok: true }))
    await using kube = transportTo(server)
    const query = { fieldManager: 'a b', force: false, pretty: undefined, limit: 5 }
    const response = await kube.request(
      { method: 'PATCH', path: '/api/v1/x', query, contentType: applyType, body: { a: 1n } },
      context(),
    )
    expect(response).toMatchObject({ status: 201, body: { ok: true }, warnings: [] })
    const [seen] = server.seen
    expect(seen).toMatchObject({
      method: 'PATCH',
      url: '/api/v1/x?fieldManager=a%20b&force=false&limit=5',
      body: '{"a":1}',
    })
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer hush',
      'content-type': applyType,
      accept: 'application/json',
      'content-length': '7',
    })
  })

  it('sends text and bytes as they are', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await using kube = transportTo(server)
    await kube.request({ ...create, body: 'a: 1', contentType: 'application/yaml' }, context())
    await kube.request({ ...create, body: new Uint8Array([104, 105]), contentType: 'text/plain' }, context())
    expect(server.seen.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
      ['a: 1', 'application/yaml'],
      ['hi', 'text/plain'],
    ])
  })

  it('goes below the base path of the server’s URL', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await using kube = closing(createTransport(staticConnection(`${server.url}/k8s/clusters/c1/`, { headers: {} })))
    await kube.request(get, context())
    expect(server.seen[0]?.url).toBe('/k8s/clusters/c1/api/v1/pods')
  })

  it('keeps unknown fields and integers past 2^53', async () => {
    await using server = await startTestServer((res) =>
      sendJson(res, 200, '{"big":9007199254740993,"x-new":{"y":[1]}}'),
    )
    await using kube = transportTo(server)
    const { body } = await kube.request(get, context())
    expect(body).toEqual({ big: 9007199254740993n, 'x-new': { y: [1] } })
  })

  it('gives text where the server sends something else than JSON', async () => {
    await using server = await startTestServer((res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('ok'))
    await using kube = transportTo(server)
    expect((await kube.request({ ...get, path: '/readyz' }, context())).body).toBe('ok')
  })

  it('surfaces the texts of warnings', async () => {
    await using server = await startTestServer((res) => {
      res.setHeader('warning', ['299 - "old, \\"very\\" old"', '299 - "unknown field"'])
      sendJson(res, 200, {})
    })
    await using kube = transportTo(server)
    expect((await kube.request(get, context())).warnings).toEqual(['old, "very" old', 'unknown field'])
  })

  it('reports broken JSON without quoting it', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, '{"data": hunter2'))
    await using kube = transportTo(server)
    const error = await failure(kube.request(get, context()))
    expect(error).toMatchObject({ code: 'kube.server-error' })
    expect(everythingIn(error)).not.toContain('hunter2')
  })
})

describe('connections', () => {
  it('are kept alive and never more than 32', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await using kube = transportTo(server)
    await Promise.all(Array.from({ length: 200 }, () => kube.request(get, context())))
    expect(server.seen).toHaveLength(200)
    expect(server.connections).toBeLessThanOrEqual(32)
  })

  it('are reused after refusals', async () => {
    await using server = await startTestServer((res) => sendJson(res, 404, { kind: 'Status', reason: 'NotFound' }))
    await using kube = transportTo(server)
    for (let i = 0; i < 20; i += 1) await failure(kube.request(get, context()))
    // The pool may open a second one while the first is still settling its last answer.
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('are all closed with the transport, and requests after that are cancelled', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    const kube = transportTo(server)
    await kube.request(get, context())
    await kube.close()
    expect(await failure(kube.request(get, context()))).toMatchObject({ code: 'cancelled' })
  })
})

describe('limits', () => {
  it('refuse an answer that is larger than announced space', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, { text: 'x'.repeat(5000) }))
    await using kube = transportTo(server, { maxBytes: 1000 })
    expect(await failure(kube.request(get, context()))).toMatchObject({ code: 'kube.response-too-large' })
    expect((await kube.request({ ...get, maxBytes: 10_000 }, context())).status).toBe(200)
  })

  it('stop reading an answer of unknown length', async () => {
    await using server = await startTestServer((res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const more = (): void => {
        while (!res.destroyed && res.write('x'.repeat(65536)));
      }
      res.on('drain', more)
      more()
    })
    await using kube = transportTo(server, { maxBytes: 1_000_000 })
    const error = await failure(kube.request(get, context()))
    expect(error).toMatchObject({ code: 'kube.response-too-large', details: { maxBytes: 1_000_000 } })
  })

  it('end an exchange that takes too long', async () => {
    await using server = await startTestServer(() => {})
    await using kube = transportTo(server)
    const error = await failure(kube.request({ ...get, timeoutMs: 50 }, context()))
    expect(error).toMatchObject({ code: 'kube.timeout', details: { timeoutMs: expect.any(Number) } })
    // Not asked again; on a busy machine not even once.
    expect(server.seen.length).toBeLessThanOrEqual(1)
  })

  it('end an exchange whose body stalls', async () => {
    await using server = await startTestServer((res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    )
    await using kube = transportTo(server)
    expect(await failure(kube.request({ ...get, timeoutMs: 100 }, context()))).toMatchObject({ code: 'kube.timeout' })
  })
})

describe('an abort', () => {
  it('cancels what is in flight and frees its connection', async () => {
    const stopped = Promise.withResolvers<void>()
    const abort = new AbortController()
    await using server = await startTestServer((res) => {
      res.on('close', () => stopped.resolve())
      abort.abort()
    })
    await using kube = transportTo(server)
    expect(await failure(kube.request(get, context({ signal: abort.signal })))).toMatchObject({ code: 'cancelled' })
    await stopped.promise
  })

  it('cancels what waits for a free connection, and the connection stays usable', async () => {
    const first = Promise.withResolvers<() => void>()
    await using server = await startTestServer((res, _req, index) => {
      if (index === 0) first.resolve(() => sendJson(res, 200, {}))
      else sendJson(res, 200, {})
    })
    await using kube = transportTo(server, { connections: 1 })
    const abort = new AbortController()
    const busy = kube.request(get, context())
    const answerFirst = await first.promise
    const queued = failure(kube.request(get, context({ signal: abort.signal })))
    abort.abort()
    expect(await queued).toMatchObject({ code: 'cancelled' })
    answerFirst()
    await busy
    await kube.request(get, context())
    expect(server.seen).toHaveLength(2)
    expect(server.connections).toBe(1)
  })

  it('before the request sends nothing', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await using kube = transportTo(server)
    expect(await failure(kube.request(get, context({ signal: AbortSignal.abort() })))).toMatchObject({
      code: 'cancelled',
    })
    expect(server.seen).toHaveLength(0)
  })

  it('ends the wait between attempts', async () => {
    const abort = new AbortController()
    await using server = await startTestServer((res) => sendJson(res, 429, {}, { 'retry-after': '30' }))
    await using kube = transportTo(server)
    const clock = {
      now: () => 0,
      sleep: (ms: number, signal?: AbortSignal) => (abort.abort(), manualClock().sleep(ms, signal)),
    }
    expect(await failure(kube.request(get, context({ signal: abort.signal, clock })))).toMatchObject({
      code: 'cancelled',
    })
  })

  it('leaves no listener behind on a long-lived signal', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await using kube = transportTo(server)
    const { signal } = new AbortController()
    let listeners = 0
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') listeners += 1
        if (key === 'removeEventListener') listeners -= 1
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await Promise.all(Array.from({ length: 50 }, () => kube.request(get, context({ signal: counted }))))
    expect(listeners).toBe(0)
  })
})

describe('a fence', () => {
  const lost = new LadingError('release.lock-lost', 'lost', { name: 'a', namespace: 'b', operation: 'upgrade' })

  it('stops a write that waited for a free connection while the lock was lost, and lets reads pass', async () => {
    const first = Promise.withResolvers<() => void>()
    await using server = await startTestServer((res, _req, index) => {
      if (index === 0) first.resolve(() => sendJson(res, 200, {}))
      else sendJson(res, 200, {})
    })
    await using kube = transportTo(server, { connections: 1 })
    let refusal: LadingError | undefined
    const fence = { refusal: () => refusal, confirm: () => Promise.reject(lost) }
    const busy = kube.request(get, context())
    const answerFirst = await first.promise
    const queued = failure(kube.request(create, context({ fence })))
    refusal = lost
    answerFirst()
    expect(await queued).toBe(lost)
    await busy
    expect(await failure(kube.request(create, context({ fence })))).toBe(lost)
    await kube.request(get, context({ fence }))
    await kube.request({ ...create, query: { dryRun: 'All' } }, context({ fence }))
    expect(server.seen).toHaveLength(3)
    expect(server.connections).toBe(1)
  })

  it('lets a write pass once it is confirmed that the lock is still held', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await using kube = transportTo(server)
    let refusal: LadingError | undefined = lost
    const confirm = async (): Promise<void> => void (refusal = undefined)
    expect((await kube.request(create, context({ fence: { refusal: () => refusal, confirm } }))).status).toBe(200)
  })
})

describe('credentials', () => {
  it('are renewed once after a 401', async () => {
    await using server = await startTestServer((res, req) =>
      sendJson(res, req.headers.authorization === 'Bearer new' ? 200 : 401, {}),
    )
    let token = 'old'
    const connection = {
      ...staticConnection(server.url, { headers: {} }),
      credentials: () => ({ headers: { authorization: `Bearer ${token}` } }),
      refresh: async () => ((token = 'new'), true),
    }
    await using kube = closing(createTransport(connection))
    expect((await kube.request(create, context())).status).toBe(200)
    expect(server.seen).toHaveLength(2)
  })

  it('that stay refused are not tried a third time', async () => {
    await using server = await startTestServer((res) => sendJson(res, 401, {}))
    const connection = { ...staticConnection(server.url, { headers: {} }), refresh: () => Promise.resolve(true) }
    await using kube = closing(createTransport(connection))
    expect(await failure(kube.request(get, context()))).toMatchObject({ code: 'kube.unauthorized' })
    expect(server.seen).toHaveLength(2)
  })

  it('and queries appear neither in the log nor in errors', async () => {
    await using server = await startTestServer((res) => sendJson(res, 403, { kind: 'Status', message: 'no' }))
    await using kube = transportTo(server)
    const lines: { message: string; fields?: LogFields }[] = []
    const log = {
      ...silentLog,
      debug: (message: string, fields?: LogFields) => lines.push({ message, ...(fields && { fields }) }),
    }
    const request = { ...get, path: '/api/v1/pods?x=hunter2', query: { token: 'hunter2' } }
    const error = await failure(kube.request(request, context({ log })))
    expect(lines).toEqual([
      {
        message: 'kube request',
        fields: { method: 'GET', path: '/api/v1/pods', status: 403, ms: expect.any(Number), attempt: 1 },
      },
    ])
    expect(everythingIn(error) + JSON.stringify(lines)).not.toMatch(/hush|hunter2/)
  })
})

function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.message} ${JSON.stringify(error)} ${error.stack} ${error.cause === undefined ? '' : everythingIn(error.cause)}`
}

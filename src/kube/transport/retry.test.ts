import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { staticConnection } from '../connect/connection.ts'
import { sendJson, startTestServer } from '../connect/testdata/test-server.ts'
import { createTransport } from './undici-transport.ts'
import { closing, create, failure, get, transportTo } from '../testing/test-transport.ts'

const applyType = 'application/apply-patch+yaml'

describe('an attempt that failed', () => {
  it.each([500, 502, 503, 504])('with %i is repeated for a verb that is safe to repeat', async (status) => {
    await using server = await startTestServer((res, _req, index) => sendJson(res, index < 2 ? status : 200, {}))
    await using kube = transportTo(server)
    expect((await kube.request(get, context())).status).toBe(200)
    expect(server.seen).toHaveLength(3)
  })

  it.each([
    ['PUT', undefined],
    ['DELETE', undefined],
    ['PATCH', applyType],
  ] as const)('is repeated for %s %s', async (method, contentType) => {
    await using server = await startTestServer((res, _req, index) => sendJson(res, index < 1 ? 503 : 200, {}))
    await using kube = transportTo(server)
    await kube.request({ method, path: '/x', ...(contentType !== undefined && { contentType, body: {} }) }, context())
    expect(server.seen).toHaveLength(2)
  })

  it.each([
    ['POST', 'application/json'],
    ['PATCH', 'application/json-patch+json'],
    ['PATCH', 'application/merge-patch+json'],
  ] as const)('is not repeated for %s %s, which may have had its effect', async (method, contentType) => {
    await using server = await startTestServer((res) => sendJson(res, 503, {}))
    await using kube = transportTo(server)
    const error = await failure(kube.request({ method, path: '/x', contentType, body: {} }, context()))
    expect(error).toMatchObject({ code: 'kube.server-error', details: { status: 503 } })
    expect(server.seen).toHaveLength(1)
  })

  it('by a lost connection is repeated where that is safe', async () => {
    await using server = await startTestServer((res, _req, index) =>
      index < 2 ? res.destroy() : sendJson(res, 200, {}),
    )
    await using kube = transportTo(server)
    expect((await kube.request(get, context())).status).toBe(200)
  })

  it('by a lost connection stands for a create', async () => {
    await using server = await startTestServer((res) => res.destroy())
    await using kube = transportTo(server)
    expect(await failure(kube.request(create, context()))).toMatchObject({ code: 'kube.unreachable', retryable: true })
    expect(server.seen).toHaveLength(1)
  })

  it('may be repeated for a create that the caller knows to be safe', async () => {
    await using server = await startTestServer((res, _req, index) =>
      index === 0 ? res.destroy() : sendJson(res, 201, {}),
    )
    await using kube = transportTo(server)
    expect((await kube.request({ ...create, repeatable: true }, context())).status).toBe(201)
  })

  it('because nobody listens is repeated even for a create, then reported as unreachable', async () => {
    const url = await unusedUrl()
    const slept: number[] = []
    await using kube = closing(
      createTransport(staticConnection(url, { headers: {} }), { retry: { random: () => 0.5 } }),
    )
    const error = await failure(kube.request(create, context({ clock: instantClock(slept) })))
    expect(error).toMatchObject({ code: 'kube.unreachable', details: { reason: 'ECONNREFUSED' } })
    expect(slept).toEqual([100, 200, 400, 800])
  })

  it('is given up after five attempts', async () => {
    await using server = await startTestServer((res) => sendJson(res, 500, { kind: 'Status', message: 'boom' }))
    await using kube = transportTo(server)
    const error = await failure(kube.request(get, context()))
    expect(error).toMatchObject({ code: 'kube.server-error', message: 'boom' })
    expect(server.seen).toHaveLength(5)
  })

  it('is not repeated when the server cannot do it at all', async () => {
    await using server = await startTestServer((res) => sendJson(res, 501, {}))
    await using kube = transportTo(server)
    await failure(kube.request(get, context()))
    expect(server.seen).toHaveLength(1)
  })
})

describe('a throttled request', () => {
  it('waits as long as Retry-After asks, whatever the verb', async () => {
    await using server = await startTestServer((res, _req, index) =>
      index < 2 ? sendJson(res, 429, {}, { 'retry-after': '7' }) : sendJson(res, 201, {}),
    )
    await using kube = transportTo(server, { retry: { random: () => 0 } })
    const slept: number[] = []
    expect((await kube.request(create, context({ clock: instantClock(slept) }))).status).toBe(201)
    expect(slept).toEqual([7000, 7000])
  })

  it('is given up when the server asks for more patience than there is', async () => {
    await using server = await startTestServer((res) => sendJson(res, 429, {}, { 'retry-after': '3600' }))
    await using kube = transportTo(server)
    const error = await failure(kube.request(get, context()))
    expect(error).toMatchObject({ code: 'kube.throttled', details: { retryAfterSeconds: 3600 } })
    expect(server.seen).toHaveLength(1)
  })

  it('is given up after a bounded number of attempts', async () => {
    await using server = await startTestServer((res) => sendJson(res, 429, {}, { 'retry-after': '0' }))
    await using kube = transportTo(server, { retry: { random: () => 0, throttledAttempts: 4 } })
    expect(await failure(kube.request(get, context()))).toMatchObject({ code: 'kube.throttled' })
    expect(server.seen).toHaveLength(4)
  })
})

function instantClock(slept: number[]) {
  return { now: () => 0, sleep: async (ms: number) => void slept.push(ms) }
}

async function unusedUrl(): Promise<string> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

import { describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { sendJson, startTestServer } from '../connect/testdata/test-server.ts'
import { failure, get, transportTo } from '../testing/test-transport.ts'

describe('a stream', () => {
  it('yields what the server sends and ends with it', async () => {
    await using server = await startTestServer((res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.write('one\n')
      res.end('two\n')
    })
    await using kube = transportTo(server)
    const stream = await kube.stream({ ...get, query: { watch: true } }, context())
    expect(await textOf(stream)).toBe('one\ntwo\n')
    expect(server.seen[0]?.url).toBe('/api/v1/pods?watch=true')
  })

  it('throws the refusal of the API server', async () => {
    const status = { kind: 'Status', reason: 'Expired', message: 'too old' }
    await using server = await startTestServer((res) => sendJson(res, 410, status))
    await using kube = transportTo(server)
    const error = await failure(kube.stream(get, context()))
    expect(error).toMatchObject({ code: 'kube.expired', message: 'too old', details: { reason: 'Expired' } })
  })

  it('does not take the connections of requests', async () => {
    await using server = await startTestServer((res, req) => {
      if (req.url.includes('watch')) res.writeHead(200).flushHeaders()
      else sendJson(res, 200, {})
    })
    await using kube = transportTo(server, { connections: 2 })
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => kube.stream({ ...get, query: { watch: true } }, context())),
    )
    expect((await kube.request(get, context())).status).toBe(200)
    for (const stream of streams) stream.close()
  })

  it('that is closed ends its iteration quietly and its connection', async () => {
    const stopped = Promise.withResolvers<void>()
    await using server = await startTestServer((res) => {
      res.on('close', () => stopped.resolve())
      res.writeHead(200).write('first')
    })
    await using kube = transportTo(server)
    const stream = await kube.stream(get, context())
    for await (const chunk of stream) {
      expect(Buffer.from(chunk).toString()).toBe('first')
      stream.close()
    }
    await stopped.promise
  })

  it('is cancelled by the signal', async () => {
    await using server = await startTestServer((res) => res.writeHead(200).write('first'))
    await using kube = transportTo(server)
    const abort = new AbortController()
    const stream = await kube.stream(get, context({ signal: abort.signal }))
    const reading = failure(
      (async () => {
        for await (const _ of stream) abort.abort()
      })(),
    )
    expect(await reading).toMatchObject({ code: 'cancelled' })
  })

  it('that loses its connection says so', async () => {
    await using server = await startTestServer((res) => {
      res.writeHead(200)
      res.write('first', () => res.destroy())
    })
    await using kube = transportTo(server)
    const stream = await kube.stream(get, context())
    expect(await failure(textOf(stream))).toMatchObject({ code: 'kube.unreachable' })
  })
})

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += Buffer.from(chunk).toString('utf8')
  return text
}

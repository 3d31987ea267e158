import { afterEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { type LogOptions, readLog } from './logs.ts'
import {
  configMaps,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '../testing/scripted-server.ts'

const pod = { namespace: 'ns', name: 'web-0' }

let server: ScriptedServer
afterEach(() => server.close())

describe('the log of a pod', () => {
  it('comes line by line, the unfinished last one too', async () => {
    await serve(text('first\n\ngrün\nlast'))
    expect(await read({})).toEqual(['first', '', 'grün', 'last'])
    expect(server.requests[0]?.path).toBe('/api/v1/namespaces/ns/pods/web-0/log')
  })

  it('is asked for as the caller wants it, and bounded', async () => {
    await serve(text(''))
    await read({ container: 'main', tailLines: 20, previous: true })
    const query = Object.fromEntries(server.requests[0]?.query ?? [])
    expect(query).toEqual({ container: 'main', tailLines: '20', previous: 'true', limitBytes: '1048576' })
  })

  it('is followed until the caller has seen enough', async () => {
    const gone = Promise.withResolvers<void>()
    await serve((response) => {
      response.on('close', () => gone.resolve())
      response.writeHead(200, { 'content-type': 'text/plain' }).write('one\ntwo\nthr')
    })
    const seen: string[] = []
    for await (const line of readLog(pods(), pod, { follow: true }, context())) {
      seen.push(line)
      if (seen.length === 2) break
    }
    await gone.promise
    expect(seen).toEqual(['one', 'two'])
    expect(server.requests[0]?.query.get('limitBytes')).toBeNull()
  })

  it('ends when the caller aborts', async () => {
    await serve((response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('one\n'))
    const stop = new AbortController()
    const log = readLog(pods(), pod, { follow: true }, context({ signal: stop.signal }))
    await log.next()
    const next = log.next()
    stop.abort()
    await expect(next).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('says why it cannot be read', async () => {
    await serve(status(400, { reason: 'BadRequest' }))
    await expect(read({})).rejects.toMatchObject({ code: 'kube.bad-request' })
  })
})

async function serve(script: Script): Promise<void> {
  server = await startScriptedServer(script)
}

function text(content: string): Script {
  return (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(content)
}

function read(options: LogOptions): Promise<string[]> {
  return Array.fromAsync(readLog(pods(), pod, options, context()))
}

function pods(): Cluster {
  const { transport, discovery } = server.cluster
  return {
    transport,
    discovery: { ...discovery, find: async () => ({ ...configMaps, kind: 'Pod', resource: 'pods' }) },
  }
}

import { on, once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from './time/clock.ts'
import { context } from './context.ts'
import { type Program, runProgram } from './run-program.ts'

let server: Server
beforeEach(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => server.close())

/** Holds a connection to this test for as long as its process lives. */
function connect(): string {
  return `require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1').on('error', () => {});`
}

/** Starts a process that hangs and holds the output of its parent. */
function startAnother(): string {
  const args = JSON.stringify(['-e', connect()])
  return `require('node:child_process').spawn(process.execPath, ${args}, { stdio: 'inherit' }).unref();`
}

function program(source: string, more: Partial<Program> = {}): Program {
  const limits = { maxOutputBytes: 1000, timeoutMs: 60_000 }
  return { command: process.execPath, args: ['-e', source], env: process.env, stderr: 'ignore', ...limits, ...more }
}

async function connected(count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for await (const [socket] of on(server, 'connection') as AsyncIterable<[Socket]>) {
    socket.on('error', () => undefined).resume()
    if (sockets.push(socket) === count) break
  }
  return sockets
}

describe('a program', () => {
  it('gives what it printed, and gets its input', async () => {
    const echo = program(`process.stdin.pipe(process.stdout)`, { input: 'question' })
    expect(await runProgram(echo, context())).toEqual({ ok: true, output: 'question' })
  })

  it('that hangs is ended after its time, with what it started', async () => {
    const clock = manualClock()
    const run = runProgram(program(startAnother() + connect()), context({ clock }))
    const sockets = await connected(2)
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    await clock.advance(60_000)
    expect(await run).toMatchObject({ ok: false, problem: 'did not end within 60 seconds' })
    await closed
  })

  it('that is cancelled is ended with what it started', async () => {
    const abort = new AbortController()
    const run = runProgram(program(startAnother() + connect()), context({ signal: abort.signal }))
    const sockets = await connected(2)
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    abort.abort(new Error('enough'))
    await expect(run).rejects.toThrow('enough')
    await closed
  })

  it('that prints without an end is ended', async () => {
    const run = runProgram(program(`${connect()} setInterval(() => console.log('x'.repeat(500)), 1)`), context())
    const [socket] = await connected(1)
    const closed = once(socket!, 'close')
    expect(await run).toMatchObject({ ok: false, problem: 'printed more than 1000 bytes' })
    await closed
  })

  it('that left another one behind which holds its output is not waited for longer than its time', async () => {
    const clock = manualClock()
    const run = runProgram(program(startAnother()), context({ clock }))
    const [socket] = await connected(1)
    const closed = once(socket!, 'close')
    await clock.advance(60_000)
    expect(await run).toMatchObject({ problem: 'did not end within 60 seconds' })
    await closed
  })

  it('that is not there is told apart', async () => {
    const missing = { ...program(''), command: 'lading-no-such-program' }
    expect(await runProgram(missing, context())).toMatchObject({ ok: false, problem: 'was not found' })
  })
})

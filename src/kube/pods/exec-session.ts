import { once } from 'node:events'
import type { Duplex, Writable } from 'node:stream'
import { type Context, LadingError, type ObjectRef, parseJson, stringifyJson, toLadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { exitCodeOf } from './exec-status.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import type { KubeRequest } from '../transport/transport.ts'
import { closeSocket, openingHandshake, readMessages, sendOnChannel } from '../transport/web-socket.ts'
import { cancelled } from '../transport/wire-error.ts'

/** What a command reads: bytes, text, or a stream of them, such as a Readable. */
export type ExecInput = Uint8Array | string | AsyncIterable<Uint8Array | string>

/** Where output goes: a Writable, or a function. The command waits while a Writable is full or a promise is pending. */
export type ExecOutput = Writable | ((chunk: Uint8Array) => void | Promise<void>)

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** What to run in a pod, and what its streams are connected to. */
export interface ExecStreamOptions {
  /** The program and its arguments; no shell is involved. */
  readonly command: readonly string[]
  /** Needed when the pod has more than one. */
  readonly container?: string
  /** Without it the command has no stdin. Its end closes the command's stdin. */
  readonly stdin?: ExecInput
  /** Without it the output is discarded. A Writable is not ended. */
  readonly stdout?: ExecOutput
  /** Not used with a terminal, where everything is stdout. */
  readonly stderr?: ExecOutput
  /** Runs the command in a terminal, of this size where one is given. */
  readonly tty?: boolean | TerminalSize
}

/** A command that runs in a pod; disposing it cuts the connection. */
export interface ExecSession extends AsyncDisposable {
  /** Whether the command hears of the end of its stdin: API servers before Kubernetes 1.30 cannot tell it. */
  readonly closesStdin: boolean
  /** Resolves with the exit code; rejects with a LadingError if the command could not run or the connection was lost. */
  readonly exitCode: Promise<number>
  /** Tells the terminal its new size. */
  resize(size: TerminalSize): Promise<void>
  /** Cuts the connection; `exitCode` then rejects with `cancelled` unless the command had ended. */
  close(): void
}

/**
 * Each message begins with the number of its channel. Version 4 reports how the command ended as a Status, version 5 adds the
 * closing of a channel, which is needed to end stdin.
 */
const protocols = { closing: 'v5.channel.k8s.io', plain: 'v4.channel.k8s.io' } as const
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const
const maxMessageBytes = 4 * 1024 * 1024

/** Starts a command in a container and connects its streams; returns once it runs. */
export async function openExec(
  cluster: Cluster,
  ref: Pick<ObjectRef, 'namespace' | 'name'>,
  options: ExecStreamOptions,
  ctx: Context,
): Promise<ExecSession> {
  const { transport } = cluster
  if (transport.upgrade === undefined)
    throw new LadingError('kube.unsupported', 'this connection cannot run commands in pods')
  const pod = { ...ref, group: '', version: 'v1', kind: 'Pod' }
  const resource = await resolveResource(cluster, pod, ctx)
  const offered = options.stdin === undefined ? protocols.plain : `${protocols.closing}, ${protocols.plain}`
  const { headers, proof } = openingHandshake(offered)
  const path = execPath(objectPath(resource, pod, 'exec'), options)
  // The API server passes the request on; kubelets may refuse `application/json`, since that is not what they send.
  const request = { method: 'GET', path, headers, accept: '*/*' } as const
  const { socket, subprotocol } = await transport.upgrade({ ...request, protocol: 'websocket', proof }, ctx)
  return startSession(socket, subprotocol === protocols.closing, request, options, ctx)
}

/** A query holds each word of the command under the same name, which `KubeRequest.query` cannot say. */
function execPath(path: string, { command, container, stdin, tty = false }: ExecStreamOptions): string {
  const query = new URLSearchParams({ stdout: 'true' })
  if (tty === false) query.set('stderr', 'true')
  else query.set('tty', 'true')
  if (stdin !== undefined) query.set('stdin', 'true')
  if (container !== undefined) query.set('container', container)
  for (const word of command) query.append('command', word)
  return `${path}?${query.toString()}`
}

function startSession(
  socket: Duplex,
  closesStdin: boolean,
  request: KubeRequest,
  options: ExecStreamOptions,
  ctx: Context,
): ExecSession {
  const closed = new AbortController()
  const stopped = AbortSignal.any([ctx.signal, closed.signal])
  const ended = new AbortController()
  const resize = ({ columns, rows }: TerminalSize): Promise<void> =>
    send(socket, channels.resize, Buffer.from(`${stringifyJson({ Width: columns, Height: rows })}\n`), ended.signal)
  const run = async (): Promise<number> => {
    let failure: LadingError | undefined
    const stop = (): void => void socket.destroy()
    // The server may end the connection while something is still to be written.
    socket.on('error', () => {})
    stopped.addEventListener('abort', stop, { once: true })
    if (stopped.aborted) stop()
    const input = writeInput(socket, closesStdin, options, ended.signal).catch((error: unknown) => {
      if (ended.signal.aborted || socket.destroyed) return
      failure = toLadingError(error)
      socket.destroy()
    })
    try {
      if (typeof options.tty === 'object') await resize(options.tty)
      return exitCodeOf(await readOutputs(socket, options, stopped), request)
    } catch (error) {
      if (stopped.aborted) throw cancelled(stopped.reason)
      if (failure !== undefined) throw failure
      if (error instanceof LadingError) throw error
      throw new LadingError('kube.unreachable', 'the connection was lost while the command ran', {}, { cause: error })
    } finally {
      stopped.removeEventListener('abort', stop)
      ended.abort()
      closeSocket(socket)
      socket.destroy()
      await input
    }
  }
  const exitCode = run()
  // Whoever only disposes the session does not wait for its end.
  exitCode.catch(() => {})
  const close = (): void => closed.abort()
  return {
    closesStdin,
    exitCode,
    resize,
    close,
    async [Symbol.asyncDispose]() {
      close()
      await exitCode.catch(() => {})
    },
  }
}

async function writeInput(
  socket: Duplex,
  closesStdin: boolean,
  { stdin }: ExecStreamOptions,
  ended: AbortSignal,
): Promise<void> {
  if (stdin === undefined) return
  for await (const chunk of untilEnded(stdin, ended)) {
    await send(socket, channels.stdin, typeof chunk === 'string' ? Buffer.from(chunk) : chunk, ended)
  }
  if (ended.aborted) return
  if (closesStdin) await send(socket, channels.close, Buffer.from([channels.stdin]), ended)
}

/** Reads input until the command has ended, even while the input has nothing to give. */
async function* untilEnded(stdin: ExecInput, ended: AbortSignal): AsyncGenerator<Uint8Array | string, void> {
  if (typeof stdin === 'string' || stdin instanceof Uint8Array) {
    yield stdin
    return
  }
  const source = stdin[Symbol.asyncIterator]()
  const over = new Promise<'over'>((resolve) => {
    ended.addEventListener('abort', () => resolve('over'), { once: true })
    if (ended.aborted) resolve('over')
  })
  for (;;) {
    const next = await Promise.race([source.next(), over])
    if (next === 'over') {
      // The source may be waiting for something that never comes.
      source.return?.().catch(() => {})
      return
    }
    if (next.done === true) return
    yield next.value
  }
}

async function send(socket: Duplex, channel: number, content: Uint8Array, ended: AbortSignal): Promise<void> {
  if (socket.destroyed || socket.writableEnded) return
  await sendOnChannel(socket, channel, content, ended)
}

/** Passes on what the command writes until the connection ends, and returns the Status that it ended with. */
async function readOutputs(socket: Duplex, options: ExecStreamOptions, stopped: AbortSignal): Promise<unknown> {
  let status: unknown
  for await (const message of readMessages(socket, maxMessageBytes)) {
    const content = message.subarray(1)
    if (content.length === 0) continue
    if (message[0] === channels.stdout) await write(options.stdout, content, stopped)
    if (message[0] === channels.stderr) await write(options.stderr, content, stopped)
    if (message[0] === channels.error) status = parseJson(content.toString('utf8'))
  }
  if (stopped.aborted) throw cancelled(stopped.reason)
  return status
}

async function write(output: ExecOutput | undefined, content: Buffer, stopped: AbortSignal): Promise<void> {
  if (output === undefined) return
  if (typeof output === 'function') await output(content)
  else if (!output.write(content)) await once(output, 'drain', { signal: stopped })
}

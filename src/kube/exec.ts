import type { Duplex } from 'node:stream'
import { type Context, isRecord, LadingError, type ObjectRef, parseJson } from '../core/index.ts'
import type { Cluster } from './cluster.ts'
import { objectPath, resolveResource } from './paths.ts'
import { statusError } from './status-error.ts'
import type { KubeRequest } from './transport.ts'
import { openingHandshake, readMessages } from './web-socket.ts'
import { cancelled } from './wire-error.ts'

/** What to run in a pod. */
export interface ExecOptions {
  /** The program and its arguments; no shell is involved. */
  readonly command: readonly string[]
  /** Needed when the pod has more than one. */
  readonly container?: string
  /** Limit for the whole run; 30 s unless told. */
  readonly timeoutMs?: number
  /** So much of the end of each output is kept; 16 KiB unless told. */
  readonly keepBytes?: number
}

/** How a command in a pod ended. */
export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Channels of the protocol: each message begins with the number of its channel. Version 4 reports how the command ended as a
 * Status; every API server passes it on to the kubelet as it is, while version 5 only adds closing of stdin, which is not used.
 */
const protocol = 'v4.channel.k8s.io'
const channels = { stdout: 1, stderr: 2, error: 3 } as const
const maxMessageBytes = 4 * 1024 * 1024

/** Runs a command in a container of a pod and waits for its end; an exit code other than 0 is no error. */
export async function execInPod(
  cluster: Cluster,
  ref: Pick<ObjectRef, 'namespace' | 'name'>,
  options: ExecOptions,
  ctx: Context,
): Promise<ExecResult> {
  const { transport } = cluster
  if (transport.upgrade === undefined)
    throw new LadingError('kube.unsupported', 'this connection cannot run commands in pods')
  const pod = { ...ref, group: '', version: 'v1', kind: 'Pod' }
  const resource = await resolveResource(cluster, pod, ctx)
  const { timeoutMs = 30_000, keepBytes = 16 * 1024 } = options
  const limit = timeLimit(timeoutMs, pod, ctx)
  const { headers, proof } = openingHandshake(protocol)
  const request = {
    method: 'GET',
    path: execPath(objectPath(resource, pod, 'exec'), options),
    headers,
    timeoutMs,
  } as const
  try {
    const socket = await transport.upgrade({ ...request, protocol: 'websocket', proof }, limit.ctx)
    return await runToEnd(socket, request, keepBytes, limit.ctx)
  } finally {
    limit.end()
  }
}

/** A query holds each word of the command under the same name, which `KubeRequest.query` cannot say. */
function execPath(path: string, { command, container }: ExecOptions): string {
  const query = new URLSearchParams({ stdout: 'true', stderr: 'true' })
  if (container !== undefined) query.set('container', container)
  for (const word of command) query.append('command', word)
  return `${path}?${query.toString()}`
}

async function runToEnd(socket: Duplex, request: KubeRequest, keepBytes: number, ctx: Context): Promise<ExecResult> {
  const outputs = { stdout: new Tail(keepBytes), stderr: new Tail(keepBytes) }
  let status: unknown
  // The server may end the connection while something is still to be written.
  socket.on('error', () => {})
  const onAbort = (): void => {
    socket.destroy()
  }
  ctx.signal.addEventListener('abort', onAbort, { once: true })
  try {
    for await (const message of readMessages(socket, maxMessageBytes)) {
      const channel = message[0]
      const content = message.subarray(1)
      if (channel === channels.stdout) outputs.stdout.add(content)
      if (channel === channels.stderr) outputs.stderr.add(content)
      if (channel === channels.error && content.length > 0) status = parseJson(content.toString('utf8'))
    }
  } catch (error) {
    if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
    if (error instanceof LadingError) throw error
    throw new LadingError('kube.unreachable', 'the connection was lost while the command ran', {}, { cause: error })
  } finally {
    ctx.signal.removeEventListener('abort', onAbort)
    socket.destroy()
  }
  if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
  return { exitCode: exitCodeOf(status, request), stdout: outputs.stdout.text(), stderr: outputs.stderr.text() }
}

/** A command that ran has an exit code; anything else is a failure of the cluster. */
function exitCodeOf(status: unknown, request: KubeRequest): number {
  if (!isRecord(status)) throw new LadingError('kube.unreachable', 'the connection ended before the command did')
  if (status['status'] === 'Success') return 0
  const details = isRecord(status['details']) ? status['details'] : {}
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isRecord) : []
  const code = causes.find(({ reason }) => reason === 'ExitCode')?.['message']
  if (status['reason'] === 'NonZeroExitCode' && typeof code === 'string') return Number(code)
  throw statusError(Number(status['code'] ?? 500), { kind: 'Status', ...status }, request)
}

function timeLimit(timeoutMs: number, pod: ObjectRef, ctx: Context): { ctx: Context; end: () => void } {
  const over = new AbortController()
  const done = new AbortController()
  const message = `the command in pod ${pod.namespace}/${pod.name} did not end within ${timeoutMs} ms`
  const error = new LadingError('kube.timeout', message, { ...pod, timeoutMs })
  ctx.clock.sleep(timeoutMs, done.signal).then(
    () => over.abort(error),
    () => undefined,
  )
  return { ctx: { ...ctx, signal: AbortSignal.any([ctx.signal, over.signal]) }, end: () => done.abort() }
}

/** The end of an output. */
class Tail {
  readonly #keep: number
  #bytes: Buffer = Buffer.alloc(0)

  constructor(keep: number) {
    this.#keep = keep
  }

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#bytes, chunk])
    this.#bytes = all.subarray(Math.max(0, all.length - this.#keep))
  }

  text(): string {
    return this.#bytes.toString('utf8')
  }
}

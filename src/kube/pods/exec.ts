import { type Context, LadingError, type ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { openExec } from './exec-session.ts'

/** What to run in a pod. */
export interface ExecOptions {
  /** The program and its arguments; no shell is involved. */
  readonly command: readonly string[]
  /** Needed when the pod has more than one. */
  readonly container?: string
  /** Limit for the whole run (default: 30 s). */
  readonly timeoutMs?: number
  /** How much of the end of each output is kept (default: 16 KiB). */
  readonly keepBytes?: number
}

/** How a command in a pod ended. */
export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in a container of a pod and waits for its end; an exit code other than 0 is no error. */
export async function execInPod(
  cluster: Cluster,
  ref: Pick<ObjectRef, 'namespace' | 'name'>,
  options: ExecOptions,
  ctx: Context,
): Promise<ExecResult> {
  const { timeoutMs = 30_000, keepBytes = 16 * 1024, ...command } = options
  const outputs = { stdout: new Tail(keepBytes), stderr: new Tail(keepBytes) }
  const limit = timeLimit(timeoutMs, { ...ref, group: '', version: 'v1', kind: 'Pod' }, ctx)
  const streams = {
    stdout: (chunk: Uint8Array): void => outputs.stdout.add(chunk),
    stderr: (chunk: Uint8Array): void => outputs.stderr.add(chunk),
  }
  try {
    await using session = await openExec(cluster, ref, { ...command, ...streams }, limit.ctx)
    const exitCode = await session.exitCode
    return { exitCode, stdout: outputs.stdout.text(), stderr: outputs.stderr.text() }
  } finally {
    limit.end()
  }
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

  add(chunk: Uint8Array): void {
    const all = Buffer.concat([this.#bytes, chunk])
    this.#bytes = all.subarray(Math.max(0, all.length - this.#keep))
  }

  text(): string {
    return this.#bytes.toString('utf8')
  }
}

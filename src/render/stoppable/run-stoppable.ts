import { setImmediate } from 'node:timers/promises'
import { abortError, type Context } from '../../core/index.ts'
import { needsDeeperStack } from './needs-deeper-stack.ts'
import { hasWorker, runInWorker } from './run-in-worker.ts'
import { runWithin } from './run-within.ts'

/** Work that only computes, and that can also be done in a worker thread: what it takes and gives is data. */
export interface Job<Input, Output> {
  /** The module that exports the job, as `import.meta.url`: a worker imports it. */
  readonly module: string
  /** The name that the module exports the job by. */
  readonly name: string
  /** Loads what the work needs; the function that it gives does the work without waiting for anything. */
  prepare(input: Input): Promise<() => Output>
  /** The input as data, where it is more than that here. */
  toData?(input: Input): unknown
  /** The input that became data. */
  fromData?(data: unknown): Input
}

/** Where a job is done. */
export interface StoppableOptions {
  /** How long the job may block the event loop before it starts again in a worker thread, in milliseconds (default: 1000). */
  readonly inlineMs?: number | undefined
}

/** Longer than nearly every chart needs, also on a machine that is busy: starting again in a worker costs about half a second. */
const defaultInlineMs = 1000

/** What took longer lets signals and other work in before it goes on. */
const shortMs = 20

/**
 * Does a job so that the signal of the context ends it, however much it computes. Short jobs are done right here; one that is not
 * done after `inlineMs` is dropped and begun again in a worker thread, which can be ended at any instruction. So is one that
 * needs more stack than this thread has: a worker has 8 MiB, and templates may include themselves a thousand times, as in Helm.
 * In a bundle that somebody made of this package there is no worker: everything is done right here, and cannot be stopped.
 */
export async function runStoppable<Input, Output>(
  job: Job<Input, Output>,
  input: Input,
  { signal, log }: Pick<Context, 'signal' | 'log'>,
  { inlineMs = defaultInlineMs }: StoppableOptions = {},
): Promise<Output> {
  refuseAborted(signal)
  // A signal cannot end it then, and the stack is that of this thread.
  if (!hasWorker()) return (await job.prepare(input))()
  if (inlineMs > 0) {
    const run = await job.prepare(input)
    const began = performance.now()
    const done = runHere(inlineMs, run)
    // Signals arrive only between two turns of the event loop.
    if (done === undefined || performance.now() - began > shortMs) await setImmediate()
    refuseAborted(signal)
    if (done !== undefined) return done.value
  }
  log.debug('rendering takes long, or nests deeply, and goes on in a thread of its own')
  return runInWorker(job, input, signal)
}

function runHere<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  try {
    return runWithin(limitMs, work)
  } catch (error) {
    if (needsDeeperStack(error)) return undefined
    throw error
  }
}

function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal.reason)
}

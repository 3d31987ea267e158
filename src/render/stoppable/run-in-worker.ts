import { existsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { abortError, LadingError } from '../../core/index.ts'
import { decodeValue, encodeValue } from './encode-value.ts'
import type { Job } from './run-stoppable.ts'

/** What a worker is told to do. */
export interface WorkerOrder {
  readonly module: string
  readonly name: string
  readonly input: unknown
  readonly compileCache: string | undefined
}

/** What a worker answers. */
export type WorkerAnswer = { readonly output: unknown } | { readonly error: unknown }

/** Of the source this is TypeScript, in a package what was built of it; the file beside it is of the same kind. */
const entry = new URL(`worker-main${/\.[jt]s$/.exec(import.meta.url)?.[0] ?? '.js'}`, import.meta.url)

/** Deeper than the main thread's: templates may include themselves a thousand times, as in Helm. */
const stackSizeMb = 8

/** Whether there is a file to start a worker with; in a bundle that somebody made of this package there is none. */
export function hasWorker(): boolean {
  return existsSync(entry)
}

/** Does a job in a thread of its own; the signal ends it at once. */
export async function runInWorker<Input, Output>(
  job: Job<Input, Output>,
  input: Input,
  signal: AbortSignal,
): Promise<Output> {
  const { module, name } = job
  const data = encodeValue(job.toData === undefined ? input : job.toData(input))
  const workerData: WorkerOrder = { module, name, input: data, compileCache: getCompileCacheDir() }
  // Flags and variables of the process, secrets among them, are none of its business.
  const worker = new Worker(entry, { workerData, env: {}, execArgv: [], resourceLimits: { stackSizeMb } })
  try {
    return decodeValue(await answerOf(worker, signal)) as Output
  } finally {
    await worker.terminate()
  }
}

async function answerOf(worker: Worker, signal: AbortSignal): Promise<unknown> {
  let stop: (() => void) | undefined
  try {
    return await new Promise<unknown>((resolve, reject) => {
      stop = () => reject(abortError(signal.reason))
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
      worker.on('message', (answer: WorkerAnswer) =>
        'error' in answer ? reject(decodeValue(answer.error)) : resolve(answer.output),
      )
      worker.on('error', (error) => reject(failure(error)))
      worker.on('messageerror', (error) => reject(failure(error)))
      worker.on('exit', () => reject(new LadingError('internal', 'the worker that renders ended without an answer')))
    })
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop)
  }
}

function failure(error: Error): LadingError {
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new LadingError('template.limit', 'rendering needs more memory than there is', {}, { cause: error })
  }
  return new LadingError('internal', `the worker that renders failed: ${error.message}`, {}, { cause: error })
}

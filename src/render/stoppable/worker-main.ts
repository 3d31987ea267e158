import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { encodeValue, decodeValue } from './encode-value.ts'
import type { WorkerAnswer, WorkerOrder } from './run-in-worker.ts'
import type { Job } from './run-stoppable.ts'

// The first and only thing that a worker does: the job that it was started for.
const { module, name, input, compileCache } = workerData as WorkerOrder
if (compileCache !== undefined) enableCompileCache(compileCache)
parentPort?.postMessage(await answer(), [])

async function answer(): Promise<WorkerAnswer> {
  try {
    const jobs = (await import(module)) as Readonly<Record<string, Job<unknown, unknown>>>
    const job = jobs[name]!
    const data = decodeValue(input)
    const run = await job.prepare(job.fromData === undefined ? data : job.fromData(data))
    return { output: encodeValue(run()) }
  } catch (error) {
    return { error: encodeValue(error) }
  }
}

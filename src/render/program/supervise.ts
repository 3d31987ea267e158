import { Worker } from 'node:worker_threads'
import type { ProgramMessage, ProgramOrder } from './child/messages.ts'

// The main thread of the child process. The program runs in a worker thread, so that this one can always end it: when its time is over,
// when it uses too much, and when the process that wants its result is gone.

const watchMs = 200

process.once('disconnect', () => process.exit(0))
process.once('message', (order) => supervise(order as ProgramOrder))

function supervise(order: ProgramOrder): void {
  const { limits, env, flags } = order
  const worker = new Worker(new URL(order.worker), {
    workerData: order,
    env: { ...env },
    execArgv: [...flags],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, stackSizeMb: 4 },
  })
  let ended = false
  const end = (message: ProgramMessage): void => {
    if (ended) return
    ended = true
    // What it printed before comes first.
    void worker.terminate().then(() => setImmediate(() => process.send?.(message, () => process.exit(0))))
  }
  process.on('message', (values) => worker.postMessage(values, []))
  worker.on('message', (message: ProgramMessage) => {
    if (message.type === 'schema') process.send?.(message)
    else if ('text' in message && message.text.length > limits.outputBytes) end(tooLarge(limits.outputBytes))
    else end(message)
  })
  worker.on('error', (error) => end(failureOf(error, limits.memoryMb)))
  worker.on('exit', (code) => end({ type: 'exit', code }))
  passOn(worker, limits.logBytes, end)
  const seconds = limits.timeMs / 1000
  setTimeout(() => end({ type: 'limit', problem: `did not end within ${seconds} seconds` }), limits.timeMs)
  watchMemory(limits.memoryMb, end)
}

/** Lines of the program become messages, so that they never mix with its result. */
function passOn(worker: Worker, limit: number, end: (message: ProgramMessage) => void): void {
  let size = 0
  const follow = (stream: NodeJS.ReadableStream, level: 'info' | 'warn'): void => {
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) end({ type: 'limit', problem: `prints more than ${limit} bytes` })
      else process.send?.({ type: 'log', level, text: chunk.toString('utf8') })
    })
  }
  follow(worker.stdout, 'info')
  follow(worker.stderr, 'warn')
}

// The limits of a worker count its heap only, and buffers are no part of that.
function watchMemory(memoryMb: number, end: (message: ProgramMessage) => void): void {
  const limit = 2 * memoryMb * 1024 * 1024
  const look = (): void => {
    if (process.memoryUsage.rss() > limit) end(outOfMemory(memoryMb))
    else setTimeout(look, watchMs)
  }
  setTimeout(look, watchMs)
}

function failureOf(error: Error & { code?: unknown }, memoryMb: number): ProgramMessage {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(memoryMb)
  // The program may have given its error anything for a name.
  const { name, message, stack, code } = error as unknown as Record<string, unknown>
  return {
    type: 'failure',
    failure: {
      name: String(name),
      message: String(message),
      ...(typeof stack === 'string' ? { stack } : {}),
      ...(typeof code === 'string' ? { code } : {}),
    },
  }
}

function outOfMemory(memoryMb: number): ProgramMessage {
  return { type: 'limit', problem: `needs more than ${memoryMb} MiB of memory` }
}

function tooLarge(bytes: number): ProgramMessage {
  return { type: 'limit', problem: `renders to more than ${bytes} bytes` }
}

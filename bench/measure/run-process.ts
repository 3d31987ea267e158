import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessUsage, processUsage } from './process-usage.ts'
import type { Failure, Sample } from './sample.ts'

/** A program to run once. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Exit codes that mean success; only 0 unless told. */
  readonly okCodes?: readonly number[]
}

/** A run that ended well. */
export interface ProcessRun extends Sample {
  readonly stdout: string
}

const sampleEveryMs = 10
const keptOutput = 64 * 1024

/** Runs a program to its end and measures it from outside, as one would with a watch; failing is data. */
export async function runProcess(command: Command, signal: AbortSignal): Promise<ProcessRun | Failure> {
  const start = performance.now()
  const child = spawn(command.command, command.args, {
    env: { ...process.env, ...command.env },
    stdio: 'pipe',
    signal,
  })
  const ended = new Promise<{ code: number | null; error?: Error }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }))
    child.once('close', (code) => resolve({ code }))
  })
  const stdout = keepTail(child.stdout)
  const stderr = keepTail(child.stderr)
  // A program that ends before it has read everything closes the pipe; its exit code tells.
  child.stdin.on('error', () => undefined)
  child.stdin.end(command.stdin ?? '')
  const usage = followUsage(child.pid)
  const { code, error } = await ended
  const ms = performance.now() - start
  const used = await usage.stop()
  signal.throwIfAborted()
  if (error !== undefined) return { failure: error.message }
  if (code === null || !(command.okCodes ?? [0]).includes(code)) {
    return { failure: oneLine(stderr() || stdout()) || `exit code ${code}` }
  }
  return { ms, stdout: stdout(), ...(used && { cpuMs: used.cpuMs, peakBytes: used.peakBytes }) }
}

/** As `runProcess`, for programs of this repository: failing is an error. */
export async function runOwn(command: Command, signal: AbortSignal): Promise<ProcessRun> {
  const run = await runProcess(command, signal)
  if ('failure' in run) throw new Error(`${command.command} ${command.args.join(' ')}: ${run.failure}`)
  return run
}

/** Node offers no rusage of children; the peak is a mark that only rises, so the last look before the end is near it. */
function followUsage(pid: number | undefined): { stop(): Promise<ProcessUsage | undefined> } {
  const stopped = new AbortController()
  let last: ProcessUsage | undefined
  const follow = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      last = (pid === undefined ? undefined : processUsage(pid)) ?? last
      await sleep(sampleEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }
  const following = follow()
  return {
    async stop() {
      stopped.abort()
      await following
      return last
    },
  }
}

function keepTail(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-keptOutput)
  })
  return () => text
}

// The last line is where kubectl and helm say why.
function oneLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

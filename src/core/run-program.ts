import { type ChildProcess, spawn } from 'node:child_process'
import type { Context } from './context.ts'

/** A program to run, without a shell. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Hands over standard input and the terminal. */
  readonly interactive?: boolean
  /** Written to its standard input. */
  readonly input?: string
  /** Where what it says on standard error goes; never into a log. */
  readonly stderr: 'inherit' | 'ignore'
  readonly maxOutputBytes: number
  /** After this time it is ended, with all that it started. */
  readonly timeoutMs: number
}

/** What a program printed, or how it failed. */
export type ProgramOutcome =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly problem: string; readonly output: string; readonly cause?: unknown }

/** Runs a program to its end, within limits of time and output; rejects with the reason of the signal when that aborts. */
export async function runProgram(program: Program, ctx: Context): Promise<ProgramOutcome> {
  ctx.signal.throwIfAborted()
  const child = start(program)
  if (child === undefined) return { ok: false, problem: 'cannot be run with these arguments', output: '' }
  const done = new AbortController()
  try {
    return await Promise.race([outcomeOf(child, program), timeUp(program, ctx, done.signal)])
  } finally {
    done.abort()
    end(child, program)
  }
}

function outcomeOf(child: ChildProcess, { maxOutputBytes, input }: Program): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const output = (): string => Buffer.concat(chunks).toString('utf8')
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxOutputBytes) chunks.push(chunk)
      else resolve({ ok: false, problem: `printed more than ${maxOutputBytes} bytes`, output: '' })
    })
    child.on('error', (cause: NodeJS.ErrnoException) => {
      const problem = cause.code === 'ENOENT' ? 'was not found' : `cannot be run: ${cause.code}`
      resolve({ ok: false, problem, output: '', cause })
    })
    child.on('close', (code, signal) => {
      if (code === 0) resolve({ ok: true, output: output() })
      else
        resolve({
          ok: false,
          problem: `failed with ${code === null ? signal : `exit code ${code}`}`,
          output: output(),
        })
    })
    // It may end without having read all.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

async function timeUp({ timeoutMs }: Program, ctx: Context, done: AbortSignal): Promise<ProgramOutcome> {
  await ctx.clock.sleep(timeoutMs, AbortSignal.any([ctx.signal, done]))
  return { ok: false, problem: `did not end within ${timeoutMs / 1000} seconds`, output: '' }
}

function start({ command, args, env, interactive = false, input, stderr }: Program): ChildProcess | undefined {
  const stdin = interactive ? 'inherit' : input === undefined ? 'ignore' : 'pipe'
  try {
    // A group of its own can be ended whole, but has no terminal to ask on.
    return spawn(command, args, { env, shell: false, detached: !interactive, stdio: [stdin, 'pipe', stderr] })
  } catch {
    // Node refuses arguments that hold a null byte, with a message that quotes them.
    return undefined
  }
}

/** Ends a program and what it started; what has ended already is not touched. */
function end(child: ChildProcess, { interactive = false }: Program): void {
  // A program that left others behind which still hold its output has not ended.
  const whole = child.stdout?.readableEnded !== false && (child.exitCode !== null || child.signalCode !== null)
  child.stdout?.destroy()
  child.stdin?.destroy()
  if (whole || child.pid === undefined) return
  try {
    if (interactive) child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Where there are no groups, or it has just ended.
    child.kill('SIGKILL')
  }
}

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Context } from '../../core/index.ts'
import { cancelled } from '../wire-error.ts'

/** A program to run, without a shell. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Hands over standard input. */
  readonly interactive: boolean
}

/** What a program printed, or how it failed. */
export type ProgramOutcome =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly problem: string; readonly cause?: unknown }

const maxOutput = 1024 * 1024

/** Runs a program to its end; what it says on standard error goes to the user, as in kubectl, and never into a log. */
export function runProgram(program: Program, ctx: Context): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    if (ctx.signal.aborted) return reject(cancelled(ctx.signal.reason))
    const child = start(program)
    if (child === undefined) return resolve({ ok: false, problem: 'cannot be run with these arguments' })
    const chunks: Buffer[] = []
    let size = 0
    const onAbort = (): void => {
      child.kill('SIGKILL')
      reject(cancelled(ctx.signal.reason))
    }
    const settle = (outcome: ProgramOutcome): void => {
      ctx.signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    ctx.signal.addEventListener('abort', onAbort, { once: true })
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutput) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', (cause: NodeJS.ErrnoException) => {
      settle({ ok: false, problem: cause.code === 'ENOENT' ? 'was not found' : `cannot be run: ${cause.code}`, cause })
    })
    child.on('close', (code, signal) => {
      if (size > maxOutput) settle({ ok: false, problem: `printed more than ${maxOutput} bytes` })
      else if (code !== 0) settle({ ok: false, problem: `failed with ${code === null ? signal : `exit code ${code}`}` })
      else settle({ ok: true, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

function start({ command, args, env, interactive }: Program): ChildProcessByStdio<null, Readable, null> | undefined {
  try {
    return spawn(command, args, { env, shell: false, stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'] })
  } catch {
    // Node refuses arguments that hold a null byte, with a message that quotes them.
    return undefined
  }
}

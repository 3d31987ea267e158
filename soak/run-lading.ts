import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../src/cli/main.ts'

/** What a command line came to. */
export interface Outcome {
  /** The exit code; undefined if the process was killed. */
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** Whether it did not end by itself. */
  readonly hung: boolean
}

/** No operation of a round takes nearly as long, whatever strikes it. */
const longestMs = 180_000

/** What a process of Lading is told to suffer. */
export type ChildOrder =
  | { readonly type: 'clock'; readonly ms: number }
  /** No file below the folder can be written any more but for its first `room` bytes. */
  | { readonly type: 'disk'; readonly folder: string; readonly room: number }

/** A command line that runs as a process of its own. */
export interface LadingProcess {
  readonly ended: Promise<Outcome>
  /** Sends a signal. */
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** Resolves once the process suffers what it was told to. */
  order(order: ChildOrder): Promise<void>
  /** How many writes failed because the disk was full. */
  failedWrites(): number
}

/** Which outputs of a process are on a full disk. */
export interface FullOutputs {
  readonly stdout?: boolean
  readonly stderr?: boolean
}

/** Runs a command line in this process, as the program does it. */
export async function runInline(argv: readonly string[], cwd: string): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  const signal = AbortSignal.timeout(longestMs)
  const code = await main(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: Readable.from([]),
    env: { HOME: cwd },
    cwd,
    signal,
  })
  return { code, stdout, stderr, hung: signal.aborted }
}

const program = fileURLToPath(new URL('../bin/lading', import.meta.url))
const preload = new URL('./child-faults.ts', import.meta.url).href

/** Starts a command line as a process of its own. */
export function startProcess(
  argv: readonly string[],
  { cwd, cache }: { readonly cwd: string; readonly cache: string },
  full: FullOutputs,
): LadingProcess {
  const openFull = (is: boolean | undefined): number | 'pipe' => (is === true ? openSync('/dev/full', 'w') : 'pipe')
  const outputs = [openFull(full.stdout), openFull(full.stderr)] as const
  const child = spawn(process.execPath, ['--import', preload, program, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, XDG_CACHE_HOME: cache },
    stdio: ['ignore', ...outputs, 'ipc'],
  })
  for (const output of outputs) if (output !== 'pipe') closeSync(output)
  let failedWrites = 0
  child.on('message', (message) => {
    if (message === 'full') failedWrites += 1
  })
  return {
    failedWrites: () => failedWrites,
    ended: endOf(child),
    kill: (signal) => void child.kill(signal),
    async order(order) {
      if (child.exitCode !== null) return
      const done = Promise.race([once(child, 'message'), once(child, 'exit')])
      child.send(order)
      await done
    },
  }
}

async function endOf(child: ChildProcess): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (bytes: Buffer) => (stdout += bytes.toString()))
  child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
  const limit = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const begun = performance.now()
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(limit)
  return { code: code ?? undefined, stdout, stderr, hung: performance.now() - begun >= longestMs }
}

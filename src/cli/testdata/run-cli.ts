import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Io, OutputStream } from '../io.ts'
import { main } from '../main.ts'

/** What a command line came to. */
export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The world that a test's command line sees. */
export interface CliWorld {
  readonly cwd: string
  readonly env?: Io['env']
  readonly stdin?: string
  /** Of stderr, where progress goes. */
  readonly terminal?: Pick<OutputStream, 'columns' | 'rows'>
  readonly signal?: AbortSignal
  /** Sees everything that was written to stderr so far. */
  readonly onStderr?: (text: string) => void
}

/** Runs one command line as a user would, with streams of its own. */
export async function runCli(world: CliWorld, ...argv: readonly string[]): Promise<CliResult> {
  let stdout = ''
  let stderr = ''
  const code = await main(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: {
      write: (text) => {
        stderr += text
        world.onStderr?.(stderr)
      },
      ...(world.terminal === undefined ? {} : { isTTY: true, ...world.terminal }),
    },
    stdin: Readable.from(world.stdin === undefined ? [] : [world.stdin]),
    // Without a home of its own, a test must not leave a key in that of whoever runs it.
    env: { ...(world.env?.['HOME'] === undefined ? { LADING_JOBS_KEY: join(world.cwd, 'jobs.key') } : {}), ...world.env },
    cwd: world.cwd,
    signal: world.signal ?? new AbortController().signal,
  })
  return { code, stdout, stderr }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { abortError, type Context, LadingError } from '../../../core/index.ts'
import type { CheckedValues, ProgramMessage, ProgramOrder } from '../child/messages.ts'
import { supervisorFile } from '../place.ts'
import { supervisorFlags } from './program-access.ts'

/** What the process is asked while it renders. */
export interface ProgramTalk {
  /** Holds the values to a JSON Schema and fills in its defaults. */
  check(schema: string): Promise<CheckedValues>
  log(level: 'info' | 'warn', text: string): void
}

/** The last thing that a child process tells. */
export type FinalMessage = Exclude<ProgramMessage, { readonly type: 'log' | 'schema' }>

/** Renders a program in a process of its own; the signal ends it at once, and nothing of it is left when this returns. */
export async function runChild(order: ProgramOrder, talk: ProgramTalk, { signal }: Context): Promise<FinalMessage> {
  if (signal.aborted) throw abortError(signal.reason)
  const child = spawn(process.execPath, [...supervisorFlags(), supervisorFile], {
    cwd: dirname(order.file),
    // Not even the time zone of this machine.
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // A signal of the terminal is for Lading, which ends it then.
    detached: true,
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  let stop: (() => void) | undefined
  try {
    return await new Promise<FinalMessage>((resolve, reject) => {
      stop = () => reject(abortError(signal.reason))
      signal.addEventListener('abort', stop)
      listen(child, talk, resolve, reject)
      child.send(order)
    })
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop)
    child.kill('SIGKILL')
    await closed
  }
}

function listen(
  child: ChildProcess,
  talk: ProgramTalk,
  resolve: (message: FinalMessage) => void,
  reject: (error: unknown) => void,
): void {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(0, 4096)
  })
  child.on('message', (message: ProgramMessage) => {
    if (message.type === 'log') talk.log(message.level, message.text)
    else if (message.type !== 'schema') resolve(message)
    else void talk.check(message.text).then((values) => child.send(values), reject)
  })
  child.on('error', (cause) => reject(endedError(cause.message, cause)))
  child.on('close', (code, signal) => reject(endedError(said.trim() || `it ended with ${signal ?? `code ${code}`}`)))
}

function endedError(reason: string, cause?: unknown): LadingError {
  const problem = `the process that renders the program ended without a result: ${reason}`
  return new LadingError('program.failed', problem, {}, { cause })
}

import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TestbedError } from './testbed-error.ts'

/** A program to start. */
export interface ProcessSpec {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Working directory; the temporary folder if not given. */
  readonly cwd?: string
}

/** A program that was started. */
export interface ManagedProcess {
  readonly name: string
  readonly pid: number
  /** File that its output goes to. */
  readonly log: string
  /** How it ended; undefined while it runs. */
  readonly exit: string | undefined
  /** Waits until it ends by itself. */
  ended(): Promise<string>
  stop(): Promise<void>
}

/** Processes and a folder that are gone when `stop` returns, or when this process ends without having called it. */
export interface Processes {
  /** The temporary folder: data, certificates and logs. */
  readonly folder: string
  /** Process id of the supervisor. */
  readonly supervisor: number
  start(spec: ProcessSpec): Promise<ManagedProcess>
  stop(): Promise<void>
}

/** What the supervisor is asked. */
export type SupervisorRequest =
  | {
      type: 'start'
      id: number
      command: string
      args: readonly string[]
      env: Readonly<Record<string, string>>
      cwd: string
      log: string
    }
  | { type: 'kill'; pid: number }
  | { type: 'end' }

/** What the supervisor tells. */
export type SupervisorReply =
  | { type: 'ready'; folder: string }
  | { type: 'started'; id: number; pid: number }
  | { type: 'failed'; id: number; message: string }
  | { type: 'exited'; id: number; code: number | null; signal: string | null }

/** Starts a supervisor with a fresh temporary folder. */
export async function openProcesses(): Promise<Processes> {
  const supervisor = fork(fileURLToPath(new URL('./supervisor.ts', import.meta.url)), [], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exits = new Map<number, string>()
  supervisor.on('message', (reply: SupervisorReply) => {
    if (reply.type === 'exited')
      exits.set(reply.id, reply.signal === null ? `code ${reply.code}` : `signal ${reply.signal}`)
  })
  const listeners = new Set<(reply: SupervisorReply) => void>()
  supervisor.on('message', (reply: SupervisorReply) => {
    for (const listener of listeners) listener(reply)
  })
  const gone = new Promise<never>((_, reject) => {
    supervisor.once('error', reject)
    supervisor.once('exit', (code) => reject(new TestbedError(`the testbed's supervisor ended with code ${code}`)))
  })
  gone.catch(() => undefined)

  /** Waits for a reply while keeping this process alive; between requests the supervisor does not hold it. */
  const waitFor = async <T>(pick: (reply: SupervisorReply) => T | undefined): Promise<T> => {
    supervisor.ref()
    supervisor.channel?.ref()
    let listener: ((reply: SupervisorReply) => void) | undefined
    try {
      const picked = new Promise<T>((resolve) => {
        listener = (reply) => {
          const value = pick(reply)
          if (value !== undefined) resolve(value)
        }
        listeners.add(listener)
      })
      return await Promise.race([picked, gone])
    } finally {
      if (listener !== undefined) listeners.delete(listener)
      if (listeners.size === 0) release()
    }
  }
  const release = (): void => {
    supervisor.unref()
    supervisor.channel?.unref()
  }

  const folder = await waitFor((reply) => (reply.type === 'ready' ? reply.folder : undefined))
  let lastId = 0
  return {
    folder,
    supervisor: supervisor.pid ?? 0,
    start: async ({ name, command, args, env = {}, cwd = folder }) => {
      const id = ++lastId
      const log = join(folder, `${name}.log`)
      const started = waitFor((reply) => {
        if (!('id' in reply) || reply.id !== id) return undefined
        if (reply.type === 'started') return { pid: reply.pid }
        return reply.type === 'failed' ? new TestbedError(`cannot start ${name}: ${reply.message}`) : undefined
      })
      supervisor.send({ type: 'start', id, command, args, env, cwd, log } satisfies SupervisorRequest)
      const result = await started
      if (result instanceof TestbedError) throw result
      const { pid } = result
      const ended = async (): Promise<string> => exits.get(id) ?? waitFor(() => exits.get(id))
      return {
        name,
        pid,
        log,
        get exit() {
          return exits.get(id)
        },
        ended,
        stop: async () => {
          if (exits.has(id)) return
          supervisor.send({ type: 'kill', pid } satisfies SupervisorRequest)
          await ended()
        },
      }
    },
    stop: async () => {
      if (supervisor.exitCode !== null || supervisor.signalCode !== null) return
      const ended = waitFor(() => undefined).catch(() => undefined)
      if (supervisor.connected) supervisor.send({ type: 'end' } satisfies SupervisorRequest)
      await ended
    },
  }
}

/** The last lines that a process wrote, for an error message. */
export async function logTail(process: ManagedProcess, lines = 20): Promise<string> {
  const text = await readFile(process.log, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { CrashContent } from './crash-content.ts'
import type { CrashOperation } from './crash-operation.ts'
import type { Cut } from './dying-cluster.ts'

/** One operation, and the write at which its process stops itself; without one it runs to its end. */
export interface StopOrder {
  readonly driver: 'secrets' | 'helm'
  readonly kind: CrashContent
  readonly namespace: string
  readonly operation: CrashOperation
  readonly at?: number
  readonly cut: Cut
  readonly durationMs: number
}

/** How an operation ended, `done` or with the code of its error, and how many writes it made. */
export interface StopOutcome {
  readonly ended: string
  readonly writes: number
}

/** A process that carries out operations one after the other, and stops itself where it is told to. */
export interface StopProcess {
  /** Runs an operation; what is to happen while the process is stopped happens before it continues. */
  run(order: StopOrder, whileStopped: () => Promise<void>): Promise<StopOutcome>
  end(): Promise<void>
}

/** Starts the process. */
export function startStopProcess(kubeconfig: string): StopProcess {
  const program = fileURLToPath(new URL('./stop-program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, kubeconfig], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<StopOutcome | { readonly stopped: true }> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the process ended before its operation did')
    return JSON.parse(value) as StopOutcome | { readonly stopped: true }
  }
  return {
    async run(order, whileStopped) {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      for (;;) {
        const told = await answer()
        if ('ended' in told) return told
        try {
          await whileStopped()
        } finally {
          child.kill('SIGCONT')
        }
      }
    },
    async end() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

import type { Duplex } from 'node:stream'

/** A command that somebody runs in a container of the sandbox. */
export interface ExecCall {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly command: readonly string[]
  readonly tty: boolean
  /** What the client sends, until it closes stdin; empty when it sends none. */
  readonly stdin: AsyncIterable<Uint8Array>
  /** Writes output before the answer is given; resolves once the client takes more. */
  readonly write: (stream: 'stdout' | 'stderr', content: string | Uint8Array) => Promise<void>
  /** Calls back with each size of the client's terminal. */
  readonly onResize: (listener: (size: { readonly columns: number; readonly rows: number }) => void) => void
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
}

/** How a scripted command ends. */
export interface ExecAnswer {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string | Uint8Array
  /** Default: 0. */
  readonly exitCode?: number
}

/** Answers a command, or returns undefined to leave it to the next script. */
export type ExecScript = (call: ExecCall) => ExecAnswer | undefined | Promise<ExecAnswer | undefined>

/** A connection that somebody makes to a port of a pod of the sandbox. */
export interface PortCall {
  readonly namespace: string
  readonly pod: string
  readonly port: number
}

/** Serves a connection, or returns undefined to leave it to the next script; the stream ends when the client's side does. */
export type PortScript = (call: PortCall) => ((connection: Duplex) => void | Promise<void>) | undefined

/** The scripts of one sandbox; the one that was added last is asked first. */
export class Scripts {
  readonly exec: ExecScript[] = []
  readonly ports: PortScript[] = []

  /** Adds a script and returns the function that removes it. */
  onExec(script: ExecScript): () => void {
    return added(this.exec, script)
  }

  /** Adds a script and returns the function that removes it. */
  onPortForward(script: PortScript): () => void {
    return added(this.ports, script)
  }
}

function added<T>(list: T[], one: T): () => void {
  list.unshift(one)
  return () => {
    const at = list.indexOf(one)
    if (at >= 0) list.splice(at, 1)
  }
}

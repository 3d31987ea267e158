/** A stream that the CLI writes to. */
export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** All that a command sees of the world outside: tests hand in their own. */
export interface Io {
  /** Data only. */
  readonly stdout: OutputStream
  /** Progress, warnings and errors: what is for people. */
  readonly stderr: OutputStream
  readonly stdin: NodeJS.ReadableStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
}

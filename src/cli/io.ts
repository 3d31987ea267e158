import type { LadingError } from '../core/index.ts'

/** A stream that the CLI writes to. */
export interface OutputStream {
  write(text: string): unknown
  /** Writes in the place of the last lines; only the guard of a terminal can do that, no text. */
  replaceLines?(count: number, text: string): unknown
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
  /** Aborted when the user interrupts, or with `readerGone`. */
  readonly signal: AbortSignal
  /** Tells, when everything was printed, whether some of it could not be written. */
  readonly lostOutput?: () => Promise<LadingError | undefined>
}

/** The reason of the signal when whoever read the data has seen enough, as `head` has: nobody is left to be told anything. */
export const readerGone = new DOMException('nobody reads what is printed any more', 'AbortError')

import { Readable } from 'node:stream'
import type { Io } from '../io.ts'

/** The streams of a command line that nobody reads and that says nothing, but for what is given. */
export function silentIo(given: Partial<Io> = {}): Io {
  const nowhere = { write: () => undefined }
  const signal = new AbortController().signal
  return { stdout: nowhere, stderr: nowhere, stdin: Readable.from([]), env: {}, cwd: '/', signal, ...given }
}

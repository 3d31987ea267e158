import { createInterface } from 'node:readline'
import { abortError } from '../core/index.ts'
import type { Io } from './io.ts'

/** Asks a question on stderr and gives the first line of standard input; undefined where that ends without one. Lets go of the input, so that the process can end. */
export async function askLine({ stdin, stderr, signal }: Io, question: string): Promise<string | undefined> {
  if (signal.aborted) throw abortError(signal.reason)
  stderr.write(question)
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
      signal.addEventListener('abort', () => reject(abortError(signal.reason)), { once: true })
    })
  } finally {
    lines.close()
    // Whoever holds the other end may keep it open for ever.
    if ('destroy' in stdin && typeof stdin.destroy === 'function') stdin.destroy()
  }
}

import type { LadingError } from '../core/index.ts'
import type { WireAnswer } from './exchange.ts'

/** Reads a body of at most `limit` bytes; a longer one fails with the error that `tooLarge` gives. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  tooLarge: () => LadingError,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** Reads the beginning of a body as text, and leaves the rest. */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8')
}

const maxDumpedBytes = 256 * 1024

/** Lets go of a body that nobody needs; a short one is read, so that its connection can serve again. */
export async function dump({ body }: Pick<WireAnswer, 'body'>): Promise<void> {
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxDumpedBytes) break
    }
  } catch {
    body.destroy()
  }
}

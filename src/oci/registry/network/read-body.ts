import { type Context, LadingError } from '../../../core/index.ts'
import type { WireAnswer } from './network.ts'
import { wireError } from './wire-error.ts'

/** Reads a body of at most `limit` bytes. */
export async function readBytes(body: AsyncIterable<Uint8Array>, limit: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) {
      throw new LadingError('oci.too-large', `${what} is longer than the ${limit} bytes that are allowed`, { limit })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** Reads an answer of at most `limit` bytes; one that breaks off, or is not read to its end in time, is a failure of the connection. */
export async function readAnswer(
  { body, url }: WireAnswer,
  limit: number,
  what: string,
  ctx: Context,
): Promise<Buffer> {
  try {
    return await readBytes(body, limit, what)
  } catch (error) {
    throw wireError(error, url.host, ctx.signal)
  }
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

/** Lets go of a body that nobody needs; a short one is read, so that its connection serves again. */
export async function dump({ body }: WireAnswer): Promise<void> {
  try {
    await readBytes(body, 256 * 1024, 'an answer')
  } catch {
    body.destroy()
  }
}

import { LadingError } from '../../../core/index.ts'
import { readAtMost, type WireAnswer } from '../../../net/index.ts'
import { wireError } from './wire-error.ts'

/** Reads content of at most `limit` bytes. */
export function readBytes(body: AsyncIterable<Uint8Array>, limit: number, what: string): Promise<Buffer> {
  return readAtMost(
    body,
    limit,
    () => new LadingError('oci.too-large', `${what} is longer than the ${limit} bytes that are allowed`, { limit }),
  )
}

/** Reads an answer of at most `limit` bytes; one that breaks off, or is not read to its end in time, is a failure of the connection. */
export async function readAnswer(
  { body, url }: WireAnswer,
  limit: number,
  what: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<Buffer> {
  try {
    return await readBytes(body, limit, what)
  } catch (error) {
    throw wireError(error, url, signal)
  }
}

import { createReadStream } from 'node:fs'
import { type Context, isLadingError, LadingError, refuseDevice } from '../../core/index.ts'
import { fileError } from './file-error.ts'

/** Bytes that come piece by piece, like `process.stdin`. */
export type ByteSource = AsyncIterable<Uint8Array | string>

interface Budget {
  left: number
  readonly maxBytes: number
}

/** Reads a whole stream within a budget of bytes. */
export async function readStreamBytes(stream: ByteSource, name: string, budget: Budget, ctx: Context): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) {
    if (ctx.signal.aborted) throw new LadingError('cancelled', `reading ${name} was cancelled`)
    const bytes =
      typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    budget.left -= bytes.length
    if (budget.left < 0) {
      const problem = `${name} takes the input past ${budget.maxBytes} bytes, the limit maxBytes`
      throw new LadingError('input.too-large', problem, { file: name, maxBytes: budget.maxBytes })
    }
    pieces.push(bytes)
  }
  return Buffer.concat(pieces)
}

/** Reads a file within a budget; pipes too, so that `<(command)` works. */
export async function readFileBytes(path: string, budget: Budget, ctx: Context): Promise<Buffer> {
  try {
    await refuseDevice(path)
    return await readStreamBytes(createReadStream(path, { signal: ctx.signal }), path, budget, ctx)
  } catch (error) {
    throw isLadingError(error) ? error : fileError(error, path, ctx)
  }
}

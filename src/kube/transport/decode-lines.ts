import { LadingError } from '../../core/index.ts'

/** How a stream of bytes is cut into lines. */
export interface LineOptions {
  /** Longest line that is held in memory. */
  readonly maxBytes: number
  /** Whether a longer line fails or comes in pieces. */
  readonly tooLong: 'fail' | 'split'
  /** Whether text after the last newline is a line; of a watch it is an event that was cut off. */
  readonly unfinished: 'yield' | 'drop'
}

const newline = 0x0a

/** Cuts chunks into lines of UTF-8 text wherever the chunks happen to end, also inside a character. */
export async function* decodeLines(chunks: AsyncIterable<Uint8Array>, options: LineOptions): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let size = 0
  const take = (): string => {
    const line = Buffer.concat(parts, size).toString('utf8')
    parts = []
    size = 0
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      const rest = chunk.subarray(start, end < 0 ? chunk.length : end)
      if (rest.length > 0) parts.push(rest)
      size += rest.length
      if (size > options.maxBytes) {
        if (options.tooLong === 'fail') throw tooLong(options.maxBytes)
        yield take()
      }
      if (end < 0) break
      yield take()
      start = end + 1
    }
  }
  if (size > 0 && options.unfinished === 'yield') yield take()
}

function tooLong(maxBytes: number): LadingError {
  const message = `the API server sent a line of more than ${maxBytes} bytes`
  return new LadingError('kube.response-too-large', message, { maxBytes })
}

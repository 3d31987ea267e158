import { encodeFrame, type Frame, opcodes, takeFrame } from './frames.ts'

/** How one side of a WebSocket reads. */
export interface MessageReading {
  readonly side: 'client' | 'server'
  /** Largest message; above it `fail('too-large')` is thrown. */
  readonly maxBytes: number
  /** Sends the answer to a ping or a close. */
  readonly reply: (frame: Buffer) => void
  /** The error for a peer that breaks the protocol. */
  fail(problem: 'too-large' | 'mask'): Error
}

/** The messages of a WebSocket until the peer closes it; pings are answered. */
export async function* readMessages(
  chunks: AsyncIterable<unknown>,
  reading: MessageReading,
): AsyncGenerator<Buffer, void> {
  const { maxBytes, side, reply } = reading
  const tooLarge = (): Error => reading.fail('too-large')
  let unread: Buffer = Buffer.alloc(0)
  let fragments: Buffer[] = []
  for await (const chunk of chunks) {
    unread = unread.length === 0 ? (chunk as Buffer) : Buffer.concat([unread, chunk as Buffer])
    for (;;) {
      const frame = takeFrame(unread, maxBytes, tooLarge)
      if (frame === undefined) break
      unread = unread.subarray(frame.size)
      if (frame.masked !== (side === 'server')) throw reading.fail('mask')
      if (frame.opcode === opcodes.close) {
        reply(control(opcodes.close, frame, side))
        return
      }
      if (frame.opcode === opcodes.ping) reply(control(opcodes.pong, frame, side))
      if (frame.opcode > opcodes.binary) continue
      fragments.push(frame.payload)
      if (fragments.reduce((sum, { length }) => sum + length, 0) > maxBytes) throw tooLarge()
      if (!frame.last) continue
      yield fragments.length === 1 ? frame.payload : Buffer.concat(fragments)
      fragments = []
    }
  }
}

/** Control frames hold at most 125 bytes (RFC 6455, section 5.5). */
function control(opcode: number, { payload }: Frame, side: MessageReading['side']): Buffer {
  return encodeFrame(opcode, payload.subarray(0, 125), side === 'client')
}

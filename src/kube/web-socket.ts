import { createHash, randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { LadingError } from '../core/index.ts'

/** The headers that open a WebSocket (RFC 6455, section 4.1), and the answer that proves that the server understood. */
export function openingHandshake(protocol: string): { headers: Record<string, string>; proof: string } {
  const key = randomBytes(16).toString('base64')
  const headers = { 'sec-websocket-key': key, 'sec-websocket-version': '13', 'sec-websocket-protocol': protocol }
  return { headers, proof: createHash('sha1').update(`${key}${handshakeSuffix}`).digest('base64') }
}

// Fixed by RFC 6455, section 1.3.
const handshakeSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** The messages that a server sends over an upgraded connection, until it closes; pings are answered. */
export async function* readMessages(socket: Duplex, maxBytes: number): AsyncGenerator<Buffer> {
  let unread: Buffer = Buffer.alloc(0)
  let fragments: Buffer[] = []
  for await (const chunk of socket) {
    unread = unread.length === 0 ? (chunk as Buffer) : Buffer.concat([unread, chunk as Buffer])
    for (let frame = takeFrame(unread, maxBytes); frame !== undefined; frame = takeFrame(unread, maxBytes)) {
      unread = unread.subarray(frame.size)
      if (frame.opcode === opcodes.close) {
        socket.write(clientFrame(opcodes.close, frame.payload))
        return
      }
      if (frame.opcode === opcodes.ping) socket.write(clientFrame(opcodes.pong, frame.payload))
      if (frame.opcode > opcodes.binary) continue
      fragments.push(frame.payload)
      if (fragments.reduce((sum, { length }) => sum + length, 0) > maxBytes) throw tooLarge(maxBytes)
      if (!frame.last) continue
      yield Buffer.concat(fragments)
      fragments = []
    }
  }
}

interface Frame {
  readonly last: boolean
  readonly opcode: number
  readonly payload: Buffer
  /** Bytes of the whole frame. */
  readonly size: number
}

/** The first frame of what was received (RFC 6455, section 5.2); undefined until it is complete. */
function takeFrame(bytes: Buffer, maxBytes: number): Frame | undefined {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  const short = second & 0x7f
  const header = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < header) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (length > maxBytes) throw tooLarge(maxBytes)
  // Servers do not mask; one that does breaks the protocol.
  if ((second & 0x80) !== 0) throw new LadingError('kube.server-error', 'the API server sent a masked frame')
  if (bytes.length < header + length) return undefined
  return {
    last: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    payload: bytes.subarray(header, header + length),
    size: header + length,
  }
}

/** A control frame as clients have to send it: masked, at most 125 bytes (RFC 6455, sections 5.3 and 5.5). */
function clientFrame(opcode: number, payload: Buffer): Buffer {
  const body = payload.subarray(0, 125)
  const mask = randomBytes(4)
  const masked = Buffer.from(body.map((byte, at) => byte ^ (mask[at % 4] ?? 0)))
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | body.length]), mask, masked])
}

function tooLarge(maxBytes: number): LadingError {
  return new LadingError('kube.response-too-large', `a message of the API server is larger than ${maxBytes} bytes`, {
    maxBytes,
  })
}

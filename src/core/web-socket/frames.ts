import { randomBytes } from 'node:crypto'

/** The kinds of WebSocket frames (RFC 6455, section 5.2). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** One frame as it was received, unmasked. */
export interface Frame {
  readonly last: boolean
  readonly opcode: number
  readonly masked: boolean
  readonly payload: Buffer
  /** Bytes of the whole frame. */
  readonly size: number
}

/** Reads the first frame of what was received; undefined until it is complete. `tooLarge` is called with a length above the limit. */
export function takeFrame(bytes: Buffer, maxBytes: number, tooLarge: () => Error): Frame | undefined {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  const short = second & 0x7f
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  const masked = (second & 0x80) !== 0
  const header = 2 + extended + (masked ? 4 : 0)
  if (bytes.length < header) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (length > maxBytes) throw tooLarge()
  if (bytes.length < header + length) return undefined
  const body = bytes.subarray(header, header + length)
  return {
    last: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    masked,
    payload: masked ? applyMask(body, bytes.subarray(header - 4, header)) : body,
    size: header + length,
  }
}

/** Writes one whole frame; clients have to mask theirs, servers must not (RFC 6455, section 5.1). */
export function encodeFrame(opcode: number, payload: Uint8Array, mask: boolean): Buffer {
  const { length } = payload
  const short = length < 126 ? length : length < 65_536 ? 126 : 127
  const extended = Buffer.alloc(short === 126 ? 2 : short === 127 ? 8 : 0)
  if (short === 126) extended.writeUInt16BE(length)
  if (short === 127) extended.writeBigUInt64BE(BigInt(length))
  const head = Buffer.from([0x80 | opcode, (mask ? 0x80 : 0) | short])
  if (!mask) return Buffer.concat([head, extended, payload])
  const key = randomBytes(4)
  return Buffer.concat([head, extended, key, applyMask(payload, key)])
}

function applyMask(payload: Uint8Array, key: Uint8Array): Buffer {
  const masked = Buffer.from(payload)
  for (let at = 0; at < masked.length; at++) masked[at] = (masked[at] ?? 0) ^ (key[at & 3] ?? 0)
  return masked
}

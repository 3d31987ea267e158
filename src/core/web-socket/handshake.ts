import { createHash } from 'node:crypto'

// Fixed by RFC 6455, section 1.3.
const suffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The `Sec-WebSocket-Accept` that proves that a server understood the handshake with this key. */
export function acceptKey(key: string): string {
  return createHash('sha1').update(`${key}${suffix}`).digest('base64')
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { LadingError } from '../../core/index.ts'
import { acceptKey, encodeFrame, opcodes, readMessages as read } from '../../core/web-socket/index.ts'

/** The headers that open a WebSocket (RFC 6455, section 4.1), and the answer that proves that the server understood. */
export function openingHandshake(protocols: string): { headers: Record<string, string>; proof: string } {
  const key = randomBytes(16).toString('base64')
  const headers = { 'sec-websocket-key': key, 'sec-websocket-version': '13', 'sec-websocket-protocol': protocols }
  return { headers, proof: acceptKey(key) }
}

/** The messages that a server sends over an upgraded connection, until it closes; pings are answered. */
export function readMessages(socket: Duplex, maxBytes: number): AsyncGenerator<Buffer, void> {
  return read(socket, {
    side: 'client',
    maxBytes,
    reply: (frame) => void socket.write(frame),
    fail: (problem) => (problem === 'too-large' ? tooLarge(maxBytes) : masked()),
  })
}

/** Bytes of content in one message: what client-go sends at once, so that every server on the way takes it. */
const maxContentBytes = 32 * 1024

/** Sends content on a channel in messages that every server takes; resolves once the connection takes more. */
export async function sendOnChannel(
  socket: Duplex,
  channel: number,
  content: Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  for (let at = 0; at < content.length; at += maxContentBytes) {
    if (!socket.writable) throw new LadingError('kube.unreachable', 'the API server closed the connection')
    const part = content.subarray(at, at + maxContentBytes)
    const frame = encodeFrame(opcodes.binary, Buffer.concat([Buffer.from([channel]), part]), true)
    if (!socket.write(frame)) await once(socket, 'drain', { ...(signal !== undefined && { signal }) })
  }
}

/** Says that nothing more comes, and ends the connection. */
export function closeSocket(socket: Duplex): void {
  // 1000: a normal end (RFC 6455, section 7.4.1).
  if (!socket.writableEnded && !socket.destroyed) socket.end(encodeFrame(opcodes.close, Buffer.from([3, 232]), true))
}

function masked(): LadingError {
  return new LadingError('kube.server-error', 'the API server sent a masked frame')
}

function tooLarge(maxBytes: number): LadingError {
  return new LadingError('kube.response-too-large', `a message of the API server is larger than ${maxBytes} bytes`, {
    maxBytes,
  })
}

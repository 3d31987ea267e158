import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { acceptKey, encodeFrame, opcodes, readMessages } from '../../core/web-socket/index.ts'
import { badRequest } from '../status-error.ts'

/** The server's side of a WebSocket. */
export interface ServerSocket {
  readonly subprotocol: string
  readonly messages: () => AsyncGenerator<Buffer, void>
  /** Resolves once the client takes more. */
  readonly send: (message: Uint8Array) => Promise<void>
  readonly close: () => void
  readonly signal: AbortSignal
}

/** The subprotocols that a client offers, in its order. */
export function offeredProtocols({ req }: ServerResponse): string[] {
  return (req.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
}

/** Whether a request asks for a WebSocket. */
export function wantsWebSocket({ req }: ServerResponse): boolean {
  return req.headers.upgrade?.toLowerCase() === 'websocket'
}

/** Takes the connection of a request over as a WebSocket with the first offered protocol that is served. */
export function acceptSocket(response: ServerResponse, served: readonly string[]): ServerSocket {
  const subprotocol = offeredProtocols(response).find((one) => served.includes(one))
  const key = response.req.headers['sec-websocket-key']
  if (subprotocol === undefined || typeof key !== 'string') {
    throw badRequest(`the WebSocket needs one of the protocols ${served.join(', ')}`)
  }
  const socket = takeConnection(response, [
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${acceptKey(key)}`,
    `Sec-WebSocket-Protocol: ${subprotocol}`,
  ])
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const send = async (opcode: number, content: Uint8Array): Promise<void> => {
    if (!socket.writable) return
    if (socket.write(encodeFrame(opcode, content, false))) return
    await once(socket, 'drain', { signal: gone.signal }).catch(() => {})
  }
  return {
    subprotocol,
    signal: gone.signal,
    messages: () =>
      readMessages(socket, {
        side: 'server',
        maxBytes: 32 * 1024 * 1024,
        reply: (frame) => void (socket.writable && socket.write(frame)),
        fail: () => badRequest('the client breaks the WebSocket protocol'),
      }),
    send: (message) => send(opcodes.binary, message),
    close: () => {
      if (socket.writable) socket.end(encodeFrame(opcodes.close, Buffer.from([3, 232]), false))
    },
  }
}

/** Answers 101 and leaves HTTP behind. */
export function takeConnection(response: ServerResponse, headers: readonly string[]): Duplex {
  const { socket } = response
  if (socket === null) throw badRequest('the connection cannot be upgraded')
  response.detachSocket(socket)
  socket.on('error', () => {})
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('\r\n')}\r\n\r\n`)
  return socket
}

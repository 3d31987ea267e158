import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** What a scripted command does with its connection. */
export type Command = (words: readonly string[], send: Send, socket: Duplex) => void

/** Sends one message of a channel; `close` ends the connection as a kubelet does. */
export interface Send {
  (channel: number, content: string): void
  raw(bytes: Buffer): void
  close(): void
}

/** A server that runs scripted commands over `v4.channel.k8s.io`, as a kubelet behind an API server would. */
export async function startExecServer(
  command: Command | 'refuse',
): Promise<AsyncDisposable & { readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const sockets = new Set<Duplex>()
  const server = createServer()
  server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
    const url = new URL(req.url ?? '', 'http://localhost')
    asked.push(
      `${url.pathname} ${req.headers['sec-websocket-protocol']} ${url.searchParams.get('container') ?? ''}`.trim(),
    )
    const accept = createHash('sha1')
      .update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    sockets.add(socket)
    socket.on('error', () => {})
    if (command === 'refuse') {
      const body = JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'pods/exec is forbidden', code: 403 })
      const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      socket.end(`HTTP/1.1 403 Forbidden\r\n${head}${body}`)
      return
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n` +
        'Sec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n',
    )
    const send: Send = Object.assign(
      (channel: number, content: string) => {
        socket.write(serverFrame(2, Buffer.concat([Buffer.from([channel]), Buffer.from(content)])))
      },
      {
        raw: (bytes: Buffer) => void socket.write(bytes),
        close: () => void socket.end(serverFrame(8, Buffer.from([3, 232]))),
      },
    )
    command(url.searchParams.getAll('command'), send, socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      // Upgraded connections are not the server's any more.
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** A frame as servers send it, unmasked. */
export function serverFrame(opcode: number, payload: Buffer, last = true): Buffer {
  const { length } = payload
  const head = Buffer.from([(last ? 0x80 : 0) | opcode, length < 126 ? length : length < 65_536 ? 126 : 127])
  const extended = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8)
  if (extended.length === 2) extended.writeUInt16BE(length)
  if (extended.length === 8) extended.writeBigUInt64BE(BigInt(length))
  return Buffer.concat([head, extended, payload])
}

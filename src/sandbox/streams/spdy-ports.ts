import { Connection, type PortServer } from './connection.ts'
import { SpdyHeaders } from './spdy-headers.ts'

/** The bytes that a SPDY session runs over. */
interface SpdyBytes {
  readonly chunks: AsyncIterable<Buffer>
  send(bytes: Uint8Array): Promise<void>
  close(): void
}

/** Types of control frames (SPDY/3.1, section 2.6). */
const types = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const
const finFlag = 1

/**
 * Forwards ports over SPDY/3.1, as kubectl asks for it: each connection has a stream for errors and one for data, both with the
 * same `requestid`. There is no flow control, since the clients that speak this have none either.
 */
export async function serveSpdyPorts(bytes: SpdyBytes, serverOf: (port: number) => PortServer): Promise<void> {
  const session = new SpdySession(bytes, serverOf)
  let unread: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of bytes.chunks) {
      unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
      while (unread.length >= 8) {
        const size = 8 + unread.readUIntBE(5, 3)
        if (unread.length < size) break
        await session.receive(unread.subarray(0, size))
        unread = unread.subarray(size)
      }
    }
  } catch {
    // The client left, or sent what is no SPDY: the session is over.
  } finally {
    session.end()
    bytes.close()
  }
}

class SpdySession {
  readonly #bytes: SpdyBytes
  readonly #serverOf: (port: number) => PortServer
  readonly #headers = new SpdyHeaders()
  /** Error streams that wait for their data stream, by request id. */
  readonly #errorStreams = new Map<string, number>()
  readonly #connections = new Map<number, Connection>()

  constructor(bytes: SpdyBytes, serverOf: (port: number) => PortServer) {
    this.#bytes = bytes
    this.#serverOf = serverOf
  }

  async receive(frame: Buffer): Promise<void> {
    const flags = frame[4] ?? 0
    if ((frame[0] ?? 0) < 0x80) {
      const connection = this.#connections.get(frame.readUInt32BE(0))
      if (frame.length > 8) connection?.push(frame.subarray(8))
      if ((flags & finFlag) !== 0) connection?.push(null)
      return
    }
    const type = frame.readUInt16BE(2)
    if (type === types.ping) await this.#bytes.send(frame)
    if (type === types.synStream) await this.#open(frame)
    if (type === types.rstStream) this.#connections.get(frame.readUInt32BE(8) & 0x7fffffff)?.destroy()
  }

  end(): void {
    for (const connection of this.#connections.values()) connection.destroy()
  }

  async #open(frame: Buffer): Promise<void> {
    const id = frame.readUInt32BE(8) & 0x7fffffff
    const headers = await this.#headers.read(frame.subarray(18))
    await this.#bytes.send(control(types.synReply, Buffer.concat([numbers(id), this.#headers.none()])))
    const request = headers.get('requestid') ?? ''
    if (headers.get('streamtype') === 'error') {
      this.#errorStreams.set(request, id)
      return
    }
    const errors = this.#errorStreams.get(request) ?? 0
    this.#errorStreams.delete(request)
    const connection = new Connection((chunk) => this.#bytes.send(data(id, chunk, 0)))
    this.#connections.set(id, connection)
    connection.once('close', () => void this.#close(id, errors))
    await connection.serve(Number(headers.get('port')), this.#serverOf, (message) =>
      this.#bytes.send(data(errors, Buffer.from(message), 0)),
    )
  }

  async #close(id: number, errors: number): Promise<void> {
    this.#connections.delete(id)
    await this.#bytes.send(data(errors, Buffer.alloc(0), finFlag))
    await this.#bytes.send(data(id, Buffer.alloc(0), finFlag))
  }
}

function control(type: number, body: Uint8Array): Buffer {
  const head = Buffer.from([0x80, 3, 0, type, 0, 0, 0, 0])
  head.writeUIntBE(body.length, 5, 3)
  return Buffer.concat([head, body])
}

function data(id: number, content: Uint8Array, flags: number): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(id)
  head[4] = flags
  head.writeUIntBE(content.length, 5, 3)
  return Buffer.concat([head, content])
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at))
  return bytes
}

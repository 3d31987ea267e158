import type { ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { badRequest } from '../status-error.ts'
import { acceptSocket, offeredProtocols, type ServerSocket } from './server-socket.ts'
import { serveSpdyPorts } from './spdy-ports.ts'

/** Serves one connection to a port. */
export type PortServer = (connection: Duplex) => void | Promise<void>

const channelProtocol = 'v4.channel.k8s.io'
const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'

/** Forwards ports over a WebSocket: one pair of channels, or kubectl's SPDY tunnel with any number of connections. */
export async function servePorts(
  response: ServerResponse,
  query: URLSearchParams,
  serverOf: (port: number) => PortServer,
): Promise<void> {
  if (offeredProtocols(response).includes(tunnelProtocol)) {
    const socket = acceptSocket(response, [tunnelProtocol])
    await serveSpdyPorts({ chunks: socket.messages(), send: socket.send, close: socket.close }, serverOf)
    return
  }
  const ports = query.getAll('ports').flatMap((one) => one.split(','))
  const port = Number(ports[0])
  if (ports.length !== 1 || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw badRequest('query parameter "ports" has to be one port')
  }
  await serveChannels(acceptSocket(response, [channelProtocol]), port, serverOf)
}

async function serveChannels(
  socket: ServerSocket,
  port: number,
  serverOf: (port: number) => PortServer,
): Promise<void> {
  const head = Buffer.alloc(2)
  head.writeUInt16LE(port)
  await socket.send(Buffer.concat([Buffer.from([0]), head]))
  await socket.send(Buffer.concat([Buffer.from([1]), head]))
  const connection = new Connection((chunk) => socket.send(Buffer.concat([Buffer.from([0]), chunk])))
  connection.once('close', () => socket.close())
  await connection.serve(port, serverOf, (message) =>
    socket.send(Buffer.concat([Buffer.from([1]), Buffer.from(message)])),
  )
  try {
    for await (const message of socket.messages()) if (message[0] === 0) connection.push(message.subarray(1))
  } catch {
    // The client broke the protocol: the connection ends.
  }
  connection.push(null)
  connection.destroy()
}

/** The pod's end of one connection; it closes once its script has ended it. */
export class Connection extends Duplex {
  readonly #send: (chunk: Uint8Array) => Promise<void>

  constructor(send: (chunk: Uint8Array) => Promise<void>) {
    super()
    this.#send = send
    this.on('error', () => {})
    this.once('finish', () => this.destroy())
  }

  /** Hands the connection to its script; a port that nothing listens on is told as an error. */
  async serve(
    port: number,
    serverOf: (port: number) => PortServer,
    fail: (message: string) => Promise<void>,
  ): Promise<void> {
    try {
      Promise.resolve(serverOf(port)(this)).catch((error: unknown) => this.destroy(error as Error))
    } catch (error) {
      await fail(error instanceof Error ? error.message : String(error))
      this.destroy()
    }
  }

  override _read(): void {
    // Chunks are pushed as they come.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#send(chunk).then(
      () => done(),
      (error: unknown) => done(error as Error),
    )
  }
}

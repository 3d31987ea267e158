import type { ServerResponse } from 'node:http'
import { badRequest } from '../status-error.ts'
import { Connection, type PortServer } from './connection.ts'
import { acceptSocket, offeredProtocols, type ServerSocket } from './server-socket.ts'
import { serveSpdyPorts } from './spdy-ports.ts'

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

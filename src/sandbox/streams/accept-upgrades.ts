import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Answers requests that want to leave HTTP behind like all others, so that they are authorized and refused in the same way; what
 * serves them takes the connection over. Such connections are cut when the server closes.
 */
export function acceptUpgrades(server: Server, listener: RequestListener): void {
  const open = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const socket = connection as Socket
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => {})
    if (head.length > 0) socket.unshift(head)
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    listener(request, response)
  })
  const closeAll = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    for (const socket of open) socket.destroy()
    closeAll()
  }
}

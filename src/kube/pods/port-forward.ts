import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Context, LadingError, toLadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { openPodPort } from './open-port.ts'
import { type PodPort, type PortTarget, resolvePort } from './port-target.ts'

/** How a port is forwarded. */
export interface PortForwardOptions {
  /** The local port; a free one by default. */
  readonly localPort?: number
  /** Called when one connection fails; the others go on. */
  readonly onError?: (error: LadingError) => void
}

/** A local port that leads to a pod; disposing it closes the port and its connections. */
export interface PortForward extends AsyncDisposable {
  readonly host: '127.0.0.1'
  readonly port: number
  /** The pod that the connections go to. */
  readonly pod: string
  close(): Promise<void>
}

/** Listens on a loopback port and forwards each connection to a port of a pod, until it is closed or the signal aborts. */
export async function forwardPort(
  cluster: Cluster,
  target: PortTarget,
  options: PortForwardOptions,
  ctx: Context,
): Promise<PortForward> {
  const pod = await resolvePort(cluster, target, ctx)
  const stop = new AbortController()
  const own = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const connections = new Set<Promise<void>>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = forwardConnection(cluster, pod, socket, own).catch((error: unknown) => {
      if (own.signal.aborted) return
      const failure = toLadingError(error)
      ctx.log.warn('a forwarded connection failed', { pod: pod.pod, port: pod.port, code: failure.code })
      options.onError?.(failure)
    })
    connections.add(connection)
    void connection.finally(() => connections.delete(connection))
  })
  const port = await listen(server, options.localPort ?? 0)
  const closed = once(server, 'close')
  own.signal.addEventListener('abort', () => server.close(), { once: true })
  if (own.signal.aborted) server.close()
  const close = async (): Promise<void> => {
    stop.abort()
    await Promise.all(connections)
    await closed
  }
  return { host: '127.0.0.1', port, pod: pod.pod, close, [Symbol.asyncDispose]: close }
}

async function forwardConnection(cluster: Cluster, pod: PodPort, socket: Socket, ctx: Context): Promise<void> {
  // A client that leaves early is no failure of the forwarding.
  socket.on('error', () => {})
  let remote: Duplex | undefined
  try {
    remote = await openPodPort(cluster, pod, ctx)
    await carry(socket, remote)
  } finally {
    remote?.destroy()
    socket.destroy()
  }
}

/** Carries bytes both ways until the pod or the client has closed. */
function carry(socket: Socket, remote: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    remote.once('error', reject)
    remote.once('end', () => socket.once('finish', resolve))
    socket.once('close', resolve)
    socket.pipe(remote).pipe(socket)
  })
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new LadingError(
      'usage.invalid',
      `port ${port} of 127.0.0.1 cannot be listened on`,
      { port },
      { cause: error },
    )
  }
  return (server.address() as AddressInfo).port
}

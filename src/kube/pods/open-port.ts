import { Duplex } from 'node:stream'
import { type Context, LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import { type PodPort, type PortTarget, resolvePort } from './port-target.ts'
import { closeSocket, openingHandshake, readMessages, sendOnChannel } from '../transport/web-socket.ts'
import { cancelled } from '../transport/wire-error.ts'

/**
 * Version 4 of the channel protocol, which the kubelet serves and every API server passes on: channel 0 carries data both ways, channel
 * 1 the error, and the first message of each is the port. A WebSocket carries one connection.
 */
const protocol = 'v4.channel.k8s.io'
const channels = { data: 0, error: 1 } as const
const maxMessageBytes = 4 * 1024 * 1024

/** How long the pod may be silent after our side ended: the protocol cannot tell the pod that it did. */
const lingerMs = 5000

/** Opens one connection to a port of a pod, as a stream of bytes in both directions. */
export async function openPort(cluster: Cluster, target: PortTarget, ctx: Context): Promise<Duplex> {
  return openPodPort(cluster, await resolvePort(cluster, target, ctx), ctx)
}

/** Opens one connection to a port of a pod that is known to run. */
export async function openPodPort(cluster: Cluster, target: PodPort, ctx: Context): Promise<Duplex> {
  const { transport } = cluster
  if (transport.upgrade === undefined)
    throw new LadingError('kube.unsupported', 'this connection cannot forward ports of pods')
  const pod = { group: '', version: 'v1', kind: 'Pod', namespace: target.namespace, name: target.pod }
  const resource = await resolveResource(cluster, pod, ctx)
  const { headers, proof } = openingHandshake(protocol)
  const path = `${objectPath(resource, pod, 'portforward')}?ports=${target.port}`
  const request = { method: 'GET', path, headers, accept: '*/*' } as const
  const { socket } = await transport.upgrade({ ...request, protocol: 'websocket', proof }, ctx)
  return new PortStream(socket, target, ctx)
}

class PortStream extends Duplex {
  readonly #socket: Duplex
  readonly #messages: AsyncGenerator<Buffer, void>
  readonly #target: PodPort
  readonly #ctx: Context
  readonly #onAbort = (): void => void this.destroy(cancelled(this.#ctx.signal.reason))
  readonly #done = new AbortController()
  readonly #begun = new Set<number>()
  #reading = false
  /** Whether the pod closed the connection. */
  #ended = false
  /** Counts what the pod sent, to tell whether it was silent. */
  #received = 0

  constructor(socket: Duplex, target: PodPort, ctx: Context) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#target = target
    this.#ctx = ctx
    socket.on('error', () => {})
    this.#messages = readMessages(socket, maxMessageBytes)
    ctx.signal.addEventListener('abort', this.#onAbort, { once: true })
    if (ctx.signal.aborted) this.#onAbort()
  }

  override _read(): void {
    if (this.#reading) return
    this.#reading = true
    this.#readOn().then(
      () => (this.#reading = false),
      (error: unknown) => this.destroy(this.#lost(error)),
    )
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const next = await this.#messages.next()
      if (this.destroyed) return
      if (next.done === true) {
        this.#ended = true
        this.#done.abort()
        this.push(null)
        return
      }
      const [channel = -1] = next.value
      const content = next.value.subarray(1)
      if (!this.#begun.has(channel)) this.#begun.add(channel)
      else if (channel === channels.error && content.length > 0) throw this.#refused(content.toString('utf8'))
      else if (channel === channels.data) {
        this.#received += 1
        if (content.length > 0 && !this.push(content)) return
      }
    }
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    sendOnChannel(this.#socket, channels.data, chunk, this.#done.signal).then(
      () => done(),
      // What the pod sent before it closed is still to be read, so that a write too many is no failure.
      (error: unknown) => done(this.#ended ? null : this.#lost(error)),
    )
  }

  override _final(done: () => void): void {
    done()
    void this.#linger()
  }

  /** Waits until the pod has closed or been silent for a while, then closes. */
  async #linger(): Promise<void> {
    try {
      for (let before = -1; before !== this.#received && !this.destroyed;) {
        before = this.#received
        await this.#ctx.clock.sleep(lingerMs, this.#done.signal)
      }
      closeSocket(this.#socket)
    } catch {
      // The stream ended first.
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#ctx.signal.removeEventListener('abort', this.#onAbort)
    this.#done.abort()
    closeSocket(this.#socket)
    this.#socket.destroy()
    done(error)
  }

  #refused(reason: string): LadingError {
    const { namespace, pod, port } = this.#target
    return new LadingError('kube.unreachable', `port ${port} of pod ${namespace}/${pod}: ${reason}`, {
      ...this.#target,
    })
  }

  #lost(error: unknown): LadingError {
    if (error instanceof LadingError) return error
    const { namespace, pod, port } = this.#target
    const message = `the connection to port ${port} of pod ${namespace}/${pod} was lost`
    return new LadingError('kube.unreachable', message, { ...this.#target }, { cause: error })
  }
}

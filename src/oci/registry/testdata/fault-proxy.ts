import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** What happens to one request instead of being passed on. */
export type Fault =
  | { readonly answer: number; readonly headers?: Record<string, string>; readonly body?: string | Uint8Array }
  /** Passes on, and cuts the connection after so many bytes of the answer. */
  | { readonly cutAnswerAfter: number }
  /** Passes on, and ends the answer in good order after so many bytes. */
  | { readonly endAnswerAfter: number }
  /** Cuts the connections to both sides after so many bytes of the request were passed on. */
  | { readonly cutRequestAfter: number }
  /** Passes on without this header. */
  | { readonly without: string }

/** A proxy in front of a registry that can do what bad networks and bad registries do. */
export interface FaultProxy {
  readonly host: string
  readonly seen: Seen[]
  /** Asked for each request. */
  fault: (seen: Seen) => Fault | undefined
  stop(): Promise<void>
}

/** Starts a proxy in front of `host`; without one it only answers by its faults. */
export async function startFaultProxy(host?: string): Promise<FaultProxy> {
  const seen: Seen[] = []
  const server = createServer((incoming, response) => {
    const one = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers }
    seen.push(one)
    const fault = proxy.fault(one)
    if (fault !== undefined && 'answer' in fault) {
      incoming.resume()
      response.writeHead(fault.answer, fault.headers)
      response.end(fault.body)
    } else passOn(host ?? '', incoming, response, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultProxy = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    fault: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

type Passing = Exclude<Fault, { answer: number }> | undefined

function passOn(host: string, incoming: IncomingMessage, response: ServerResponse, fault: Passing): void {
  const { method, url: path } = incoming
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => !(fault !== undefined && 'without' in fault) || name !== fault.without),
  )
  const upstream = request(`http://${host}${path}`, { method, headers, agent: false }, (answer) => {
    const ending = fault !== undefined && ('cutAnswerAfter' in fault || 'endAnswerAfter' in fault) ? fault : undefined
    if (ending === undefined) {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
      return
    }
    const left = 'cutAnswerAfter' in ending ? ending.cutAnswerAfter : ending.endAnswerAfter
    const { 'content-length': length, ...others } = answer.headers
    response.writeHead(answer.statusCode ?? 500, 'cutAnswerAfter' in ending ? { ...others, 'content-length': length } : others)
    void readUpTo(answer, left).then((bytes) => {
      if ('endAnswerAfter' in ending) return response.end(bytes)
      return response.write(bytes, () => setImmediate(() => response.destroy()))
    })
  })
  upstream.on('error', () => response.destroy())
  if (fault !== undefined && 'cutRequestAfter' in fault) {
    void readUpTo(incoming, fault.cutRequestAfter).then((bytes) => {
      upstream.write(bytes, () =>
        setImmediate(() => {
          upstream.destroy()
          incoming.socket.destroy()
        }),
      )
    })
  } else incoming.pipe(upstream)
}

function readUpTo(stream: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (): void => resolve(Buffer.concat(chunks).subarray(0, limit))
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= limit) done()
    })
    stream.on('end', done)
    stream.on('error', done)
  })
}

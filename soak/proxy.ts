import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'

/** An API server behind the proxy, and who asks it. */
export interface Upstream {
  readonly server: string
  readonly ca?: string
  readonly token: string
}

/** A request as the client sent it. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly token: string
  /** Whether it changes something; renewals of a lock come when their time is, so they do not count. */
  readonly counted: boolean
  readonly isWrite: boolean
}

/** What becomes of a request instead of being forwarded, or of its answer instead of being passed on. */
export type Verdict =
  | {
      readonly type: 'answer'
      readonly status: number
      readonly reason: string
      readonly headers?: Record<string, string>
    }
  | { readonly type: 'cut' }

/** A fault: it may hold a request or its answer for as long as it likes, and decide what becomes of it. */
export interface Gate {
  before?(request: ProxiedRequest): Promise<Verdict | undefined>
  after?(request: ProxiedRequest): Promise<Verdict | undefined>
  /** Milliseconds between the pieces in which an answer is passed on. */
  dripMs?(request: ProxiedRequest): number | undefined
}

/** A proxy between a client and an API server. */
export interface FaultProxy {
  readonly url: string
  /** What strikes from now on; nothing unless given. */
  arm(gate?: Gate): void
  /** With which credentials requests go on to the API server. */
  forwardAs(token: string): void
  /** Resolves once every request that is no watch was answered by the API server. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy on the loopback address; it speaks plain HTTP to the client. */
export async function startProxy(upstream: Upstream): Promise<FaultProxy> {
  const proxy = new ProxyServer(upstream)
  return await proxy.listen()
}

class ProxyServer {
  readonly #upstream: Upstream
  readonly #agent: Agent
  readonly #server = createServer((incoming, response) => void this.#serve(incoming, response))
  readonly #waiting: (() => void)[] = []
  #gate: Gate = {}
  #token: string
  #underWay = 0

  constructor(upstream: Upstream) {
    this.#upstream = upstream
    this.#token = upstream.token
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: 32,
      ...(upstream.ca === undefined ? {} : { ca: upstream.ca }),
    })
  }

  async listen(): Promise<FaultProxy> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      arm: (gate = {}) => void (this.#gate = gate),
      forwardAs: (token) => void (this.#token = token),
      idle: async () => {
        while (this.#underWay > 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
      },
      close: async () => {
        this.#server.closeAllConnections()
        this.#server.close()
        this.#agent.destroy()
      },
    }
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(incoming)
      const request = readRequest(incoming)
      const gate = this.#gate
      const verdict = await gate.before?.(request)
      if (verdict !== undefined) return carryOut(verdict, response)
      const answer = await this.#forward(incoming, body, request)
      const late = await gate.after?.(request)
      if (late !== undefined) {
        answer.resume()
        return carryOut(late, response)
      }
      await passOn(answer, response, gate.dripMs?.(request))
    } catch {
      // Either side is gone: the other one sees a connection that ends.
      response.destroy()
    }
  }

  /** Sends a request on; once it is on the way it is carried out, whether or not the client is still there. */
  async #forward(incoming: IncomingMessage, body: Buffer, request: ProxiedRequest): Promise<IncomingMessage> {
    const { server } = this.#upstream
    const headers = { ...incoming.headers, authorization: `Bearer ${this.#token}`, host: new URL(server).host }
    const options = { method: request.method, headers, ...(server.startsWith('https:') ? { agent: this.#agent } : {}) }
    const send = server.startsWith('https:') ? requestHttps : requestHttp
    this.#underWay += 1
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = send(`${server}${incoming.url ?? ''}`, options, resolve)
        outgoing.on('error', reject)
        outgoing.end(body)
      })
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) for (const wake of this.#waiting.splice(0)) wake()
    }
  }
}

function readRequest(incoming: IncomingMessage): ProxiedRequest {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://proxy')
  const method = incoming.method ?? 'GET'
  const isReview = pathname.includes('reviews')
  const isWrite = method !== 'GET' && !searchParams.has('dryRun') && !isReview
  const renews = method === 'PUT' && pathname.includes('/leases/')
  const token = (incoming.headers.authorization ?? '').replace(/^Bearer /, '')
  return { method, path: pathname, token, isWrite, counted: isWrite && !renews }
}

function carryOut(verdict: Verdict, response: ServerResponse): void {
  if (verdict.type === 'cut') return void response.destroy()
  const { status, reason, headers } = verdict
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    reason,
    message: `${reason} (soak)`,
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function passOn(answer: IncomingMessage, response: ServerResponse, dripMs: number | undefined): Promise<void> {
  response.on('close', () => answer.destroy())
  response.writeHead(answer.statusCode ?? 502, headersOf(answer))
  // A watch tells nothing for a while, and the client still has to see that it was accepted.
  response.flushHeaders()
  for await (const chunk of answer) {
    const bytes = chunk as Buffer
    for (const piece of dripMs === undefined ? [bytes] : piecesOf(bytes)) {
      if (dripMs !== undefined) await new Promise((resolve) => setTimeout(resolve, dripMs))
      if (!response.write(piece)) await once(response, 'drain')
    }
  }
  response.end()
}

function headersOf({ headers }: IncomingMessage): Record<string, string | string[]> {
  const perConnection = new Set(['connection', 'keep-alive', 'transfer-encoding'])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || perConnection.has(name) ? [] : [[name, value] as const],
    ),
  )
}

function piecesOf(bytes: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / 4))
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

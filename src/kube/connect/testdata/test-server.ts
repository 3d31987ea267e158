import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly raw: readonly string[]
  readonly body: string
  /** Common name of the client's certificate. */
  readonly client?: string
}

/** A server on localhost that remembers what it was asked. */
export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly seen: SeenRequest[]
  /** Connections that were ever accepted. */
  readonly connections: number
  /** Connections that are open now. */
  openConnections(): Promise<number>
  dropConnections(): void
}

/** Answers the request with this index. */
export type Answering = (res: ServerResponse, req: SeenRequest, index: number, raw: IncomingMessage) => void

/** Starts a server; `tls` names the certificate of testdata to serve under. */
export async function startTestServer(answer: Answering, tls?: 'server' | 'renamed'): Promise<TestServer> {
  const seen: SeenRequest[] = []
  let connections = 0
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('error', () => {})
    req.on('end', () => {
      const client = tls === undefined ? undefined : (req.socket as TLSSocket).getPeerCertificate().subject?.CN
      const { method = '', url = '', headers, rawHeaders: raw } = req
      const body = Buffer.concat(chunks).toString('utf8')
      const request = { method, url, headers, raw, body, ...(client !== undefined && { client: String(client) }) }
      seen.push(request)
      answer(res, request, seen.length - 1, req)
    })
  }
  const certificate = tls === undefined ? {} : { cert: testdata(`test-${tls}.crt`), key: testdata(`test-${tls}.key`) }
  const server =
    tls === undefined
      ? createServer(listener)
      : createTlsServer({ ...certificate, ca: testdata('test-ca.crt'), requestCert: true, rejectUnauthorized: false }, listener)
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    seen,
    get connections() {
      return connections
    },
    openConnections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    dropConnections: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Answers with JSON. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The text of a file beside this one. */
export function testdata(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

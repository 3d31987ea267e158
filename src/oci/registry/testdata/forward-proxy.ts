import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

/** A proxy as companies have them; it takes every host for the one that it is given. */
export interface ForwardProxy {
  /** With a user and a password. */
  readonly url: string
  readonly host: string
  /** What was asked for: `GET http://…` or `CONNECT host:port`. */
  readonly asked: string[]
  stop(): Promise<void>
}

/** Starts a proxy in front of `host`; it wants the user `jane` with the password `hush-hush`. */
export async function startForwardProxy(host: string): Promise<ForwardProxy> {
  const asked: string[] = []
  const wanted = `Basic ${Buffer.from('jane:hush-hush').toString('base64')}`
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (incoming.headers['proxy-authorization'] !== wanted) return void response.writeHead(407).end()
    const { pathname, search } = new URL(incoming.url ?? '')
    const { method } = incoming
    const headers = { ...incoming.headers, host }
    const upstream = request(`http://${host}${pathname}${search}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    incoming.pipe(upstream)
  })
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    socket.on('error', () => undefined)
    if (incoming.headers['proxy-authorization'] !== wanted) {
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
    }
    const [name, port] = host.split(':')
    const upstream = connect(Number(port), name, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.pipe(socket)
      socket.pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://jane:hush-hush@${own}`,
    host: own,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import { connect, type Connected, type ConnectOptions } from './connect.ts'
import { sendJson, startTestServer, testdata } from './testdata/test-server.ts'

const ca = testdata('test-ca.crt')
const get = { method: 'GET', path: '/version' } as const

let dir: string
let open: Connected[]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lading-connect-'))
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()))
  await rm(dir, { recursive: true })
})

describe('the certificate of the API server', () => {
  it('is trusted by its authority, from a file or from data', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    await writeFile(join(dir, 'ca.crt'), ca)
    const data = Buffer.from(ca).toString('base64')
    for (const trust of [{ 'certificate-authority': 'ca.crt' }, { 'certificate-authority-data': data }]) {
      const cluster = await connectTo({ server: server.url, ...trust })
      expect((await cluster.transport.request(get, context())).status).toBe(200)
    }
  })

  it('is refused without its authority, at once', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    const cluster = await connectTo({ server: server.url })
    const clock = manualClock()
    await expect(cluster.transport.request(get, context({ clock }))).rejects.toMatchObject({
      code: 'kube.tls',
      details: { reason: expect.any(String) },
    })
    expect(server.seen).toHaveLength(0)
  })

  it('is accepted unseen only when insecure-skip-tls-verify says so', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    const cluster = await connectTo({ server: server.url, 'insecure-skip-tls-verify': true })
    expect((await cluster.transport.request(get, context())).status).toBe(200)
  })

  it('must be for the server’s host, or for tls-server-name', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'renamed')
    const trust = { server: server.url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
    const wrong = await connectTo(trust)
    await expect(wrong.transport.request(get, context())).rejects.toMatchObject({
      code: 'kube.tls',
      details: { reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    })
    const right = await connectTo({ ...trust, 'tls-server-name': 'kube.test' })
    expect((await right.transport.request(get, context())).status).toBe(200)
    const stream = await right.transport.stream(get, context())
    stream.close()
  })

  it('an authority that is no certificate is reported as such', async () => {
    const cluster = await keep(connect({ server: 'https://127.0.0.1:1', ca: 'nonsense', env: {} }, context()))
    const attempt = cluster.transport.request(get, context())
    await expect(attempt).rejects.toMatchObject({ code: 'kube.tls' })
  })
})

describe('client certificates', () => {
  it.each(['data', 'files'])('from %s are shown to the API server', async (how) => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    const cert = testdata('test-client.crt')
    const key = testdata('test-client.key')
    await writeFile(join(dir, 'c.crt'), cert)
    await writeFile(join(dir, 'c.key'), key)
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const user =
      how === 'data'
        ? { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }
        : { 'client-certificate': 'c.crt', 'client-key': 'c.key' }
    const cluster = await connectTo({ server: server.url, 'certificate-authority-data': base64(ca) }, user)
    await cluster.transport.request(get, context())
    expect(server.seen[0]?.client).toBe('test-client')
  })

  it('with another’s key are reported without showing it', async () => {
    const base64 = (name: string) => Buffer.from(testdata(name)).toString('base64')
    const user = { 'client-certificate-data': base64('test-client.crt'), 'client-key-data': base64('test-client2.key') }
    const cluster = await connectTo({ server: 'https://127.0.0.1:1' }, user)
    const error = await cluster.transport.request(get, context()).catch((e: unknown) => e as Error)
    expect(error).toMatchObject({ code: 'kube.tls' })
    expect(JSON.stringify(error)).not.toContain('PRIVATE')
  })
})

describe('a token file', () => {
  it('is read again as time passes', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}))
    await writeFile(join(dir, 'token'), 'one\n')
    const cluster = await connectTo({ server: server.url }, { tokenFile: 'token' })
    const clock = manualClock()
    await cluster.transport.request(get, context({ clock }))
    await writeFile(join(dir, 'token'), 'two\n')
    await cluster.transport.request(get, context({ clock }))
    await clock.advance(10_000)
    await cluster.transport.request(get, context({ clock }))
    expect(server.seen.map((each) => each.headers.authorization)).toEqual(['Bearer one', 'Bearer one', 'Bearer two'])
  })

  it('is read again at once after a 401', async () => {
    await using server = await startTestServer((res, req) =>
      sendJson(res, req.headers.authorization === 'Bearer one' ? 401 : 200, {}),
    )
    await writeFile(join(dir, 'token'), 'one')
    const cluster = await connectTo({ server: server.url }, { tokenFile: 'token' })
    const clock = manualClock()
    const attempt = cluster.transport.request(get, context({ clock }))
    await expect(attempt).rejects.toMatchObject({ code: 'kube.unauthorized' })
    expect(server.seen).toHaveLength(1)
    await writeFile(join(dir, 'token'), 'two')
    expect((await cluster.transport.request(get, context({ clock }))).status).toBe(200)
  })

  it('that is empty or gone is an error', async () => {
    await writeFile(join(dir, 'token'), '\n')
    const cluster = await connectTo({ server: 'http://127.0.0.1:1' }, { tokenFile: 'token' })
    await expect(cluster.transport.request(get, context())).rejects.toMatchObject({ code: 'auth.failed' })
    await rm(join(dir, 'token'))
    await expect(cluster.transport.request(get, context())).rejects.toMatchObject({ code: 'file.not-found' })
  })
})

describe('inside of a cluster', () => {
  it('the service account is used: token, authority and namespace', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    await writeFile(join(dir, 'token'), 'sa-token')
    await writeFile(join(dir, 'ca.crt'), ca)
    await writeFile(join(dir, 'namespace'), 'prod\n')
    const env = { HOME: dir, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) }
    const cluster = await keep(connect({ env, serviceAccountDir: dir }, context()))
    await cluster.transport.request(get, context())
    expect(cluster.namespace).toBe('prod')
    expect(server.seen[0]?.headers.authorization).toBe('Bearer sa-token')
    const acting = await keep(connect({ env, serviceAccountDir: dir, as: 'somebody', token: 'other' }, context()))
    await acting.transport.request(get, context())
    expect(server.seen[1]?.headers).toMatchObject({ authorization: 'Bearer other', 'impersonate-user': 'somebody' })
    expect(acting.transport.identity).not.toBe(cluster.transport.identity)
  })
})

describe('a proxy', () => {
  it('carries TLS through a tunnel, with every impersonated group', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    await using proxy = await startProxy()
    const cluster = await connectTo(
      {
        server: server.url,
        'certificate-authority-data': Buffer.from(ca).toString('base64'),
        'proxy-url': proxy.url('user:pa%40ss'),
      },
      { token: 'tok', as: 'me', 'as-groups': ['a', 'b'] },
    )
    expect((await cluster.transport.request(get, context())).status).toBe(200)
    const seen = server.seen[0]
    expect(seen?.headers.authorization).toBe('Bearer tok')
    const groups = seen?.raw.flatMap((name, i) => (name.toLowerCase() === 'impersonate-group' ? [seen.raw[i + 1]] : []))
    expect(groups).toEqual(['a', 'b'])
    expect(proxy.seen[0]).toMatchObject({
      target: `127.0.0.1:${server.port}`,
      authorization: `Basic ${Buffer.from('user:pa@ss').toString('base64')}`,
    })
    expect(JSON.stringify(proxy.seen)).not.toContain('tok"')
    const stream = await cluster.transport.stream(get, context())
    stream.close()
  })

  it('that refuses is named without its password', async () => {
    await using proxy = await startProxy(403)
    const cluster = await connectTo({ server: 'https://10.0.0.1', 'proxy-url': proxy.url('user:hunter2') })
    const error = await cluster.transport
      .request(get, context({ clock: { now: () => 0, sleep: async () => {} } }))
      .catch((e: unknown) => e as Error)
    expect(error).toMatchObject({
      code: 'kube.unreachable',
      message: expect.stringContaining('through the proxy 127.0.0.1'),
    })
    expect(JSON.stringify(error)).not.toContain('hunter2')
  })
})

async function connectTo(cluster: object, user: object = {}, options: ConnectOptions = {}): Promise<Connected> {
  const file = join(dir, 'config')
  const kubeconfig = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  }
  await writeFile(file, JSON.stringify(kubeconfig))
  return keep(connect({ kubeconfig: file, env: {}, ...options }, context()))
}

async function keep(connecting: Promise<Connected>): Promise<Connected> {
  const connected = await connecting
  open.push(connected)
  return connected
}

interface Proxy extends AsyncDisposable {
  url(userInfo: string): string
  readonly seen: { readonly target: string; readonly authorization: string | undefined }[]
}

async function startProxy(status = 200): Promise<Proxy> {
  const seen: Proxy['seen'] = []
  const sockets = new Set<Socket>()
  const server = createServer()
  server.on('connect', (req: IncomingMessage, socket: Socket) => {
    const target = req.url ?? ''
    seen.push({ target, authorization: req.headers['proxy-authorization'] })
    sockets.add(socket)
    socket.on('error', () => {})
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const [host, port] = target.split(':')
    const upstream = connectTcp(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (userInfo) => `http://${userInfo}@127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import { createTransport } from '../transport/undici-transport.ts'
import type { Connection, Credentials } from './connection.ts'
import { resolveConnection } from './resolve-connection.ts'
import { sendJson, startTestServer, testdata } from './testdata/test-server.ts'

const v1 = 'client.authentication.k8s.io/v1'
const v1beta1 = 'client.authentication.k8s.io/v1beta1'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lading-exec-'))
})
afterEach(() => rm(dir, { recursive: true }))

describe('a credential program', () => {
  it.each([v1, v1beta1])('gives a token in %s', async (apiVersion) => {
    const connection = await connectionWith({ apiVersion }, credential({ token: 'from-program' }, apiVersion))
    expect(await connection.credentials(context())).toEqual({ headers: { authorization: 'Bearer from-program' } })
  })

  it('is told its arguments, its environment and whether it may ask, and nothing passes through a shell', async () => {
    const args = ['--a', '$(touch pwned); `x`', '*']
    const env = [{ name: 'EXTRA', value: 'yes' }]
    const connection = await connectionWith({ args, env }, credential({ token: 't' }))
    await connection.credentials(context())
    const told = await lastRun()
    expect(told.args).toEqual(args)
    expect(told.env).toMatchObject({ EXTRA: 'yes', INHERITED: 'too' })
    expect(JSON.parse(told.env['KUBERNETES_EXEC_INFO'] ?? '')).toEqual({
      kind: 'ExecCredential',
      apiVersion: v1,
      spec: { interactive: false },
    })
  })

  it('is told about the cluster when it asks for that', async () => {
    const ca = testdata('test-ca.crt')
    const connection = await connectionWith({ provideClusterInfo: true }, credential({ token: 't' }), {
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
      'tls-server-name': 'kube.test',
      'proxy-url': 'http://proxy:3128',
      extensions: [
        { name: 'other', extension: { x: 1 } },
        { name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } },
      ],
    })
    await connection.credentials(context())
    expect(JSON.parse((await lastRun()).env['KUBERNETES_EXEC_INFO'] ?? '').spec.cluster).toEqual({
      server: 'https://kube',
      'tls-server-name': 'kube.test',
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
      'proxy-url': 'http://proxy:3128',
      config: { audience: 'me' },
    })
  })

  it('runs once for all who wait, and again only when its credential expired', async () => {
    const clock = manualClock(Date.parse('2030-01-01T00:00:00Z'))
    const status = { token: 't', expirationTimestamp: '2030-01-01T01:00:00Z' }
    const connection = await connectionWith({}, credential(status))
    await Promise.all([1, 2, 3].map(async () => connection.credentials(context({ clock }))))
    await clock.advance(59 * 60_000)
    await connection.credentials(context({ clock }))
    expect(await runs()).toBe(1)
    await clock.advance(60_000)
    await connection.credentials(context({ clock }))
    expect(await runs()).toBe(2)
  })

  it('runs once more after a 401, for all requests that got one', async () => {
    await using server = await startTestServer((res, req) =>
      sendJson(res, req.headers.authorization === 'Bearer token-2' ? 200 : 401, {}),
    )
    const connection = await connectionWith(
      {},
      `JSON.stringify({apiVersion: '${v1}', kind: 'ExecCredential', status: {token: 'token-' + run}})`,
      {
        server: server.url,
      },
    )
    const transport = createTransport(connection)
    const request = { method: 'POST', path: '/x', body: {} } as const
    const replies = await Promise.all(Array.from({ length: 8 }, () => transport.request(request, context())))
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200))
    expect(await runs()).toBe(2)
    await transport.close()
  })

  it('that gives the refused token again is not believed a second time', async () => {
    await using server = await startTestServer((res) => sendJson(res, 401, {}))
    const connection = await connectionWith({}, credential({ token: 'same' }), { server: server.url })
    const transport = createTransport(connection)
    const attempt = transport.request({ method: 'GET', path: '/x' }, context())
    await expect(attempt).rejects.toMatchObject({ code: 'kube.unauthorized' })
    expect(server.seen).toHaveLength(1)
    await transport.close()
  })

  it('may give a client certificate, which the API server sees, also after it changed', async () => {
    await using server = await startTestServer((res) => sendJson(res, 200, {}), 'server')
    const pair = (name: string) => ({
      clientCertificateData: testdata(`test-${name}.crt`),
      clientKeyData: testdata(`test-${name}.key`),
      expirationTimestamp: '2030-01-01T01:00:00Z',
    })
    const output = `JSON.stringify({apiVersion: '${v1}', kind: 'ExecCredential', status: run === 1 ? ${JSON.stringify(pair('client'))} : ${JSON.stringify({ ...pair('client2'), expirationTimestamp: undefined })}})`
    const ca = Buffer.from(testdata('test-ca.crt')).toString('base64')
    const connection = await connectionWith({}, output, { server: server.url, 'certificate-authority-data': ca })
    const transport = createTransport(connection)
    const clock = manualClock(Date.parse('2030-01-01T00:00:00Z'))
    await transport.request({ method: 'GET', path: '/x' }, context({ clock }))
    await clock.advance(3_600_000)
    await transport.request({ method: 'GET', path: '/x' }, context({ clock }))
    expect(server.seen.map((each) => each.client)).toEqual(['test-client', 'test-client-2'])
    await transport.close()
  })

  it('is found from the kubeconfig’s directory when its name holds a slash', async () => {
    await writeFile(join(dir, 'login'), `#!${process.execPath}\nconsole.log(${credential({ token: 'near' })})`)
    await chmod(join(dir, 'login'), 0o755)
    const connection = await connectionTo({ apiVersion: v1, command: './login', interactiveMode: 'Never' })
    expect(await connection.credentials(context())).toMatchObject({ headers: { authorization: 'Bearer near' } })
  })

  it('is ended by an abort, which does not spoil it for others', async () => {
    const abort = new AbortController()
    await using door = await startTestServer((res, _req, index) => (index === 0 ? abort.abort() : res.end()))
    const output = `fetch('${door.url}').then(() => ${credential({ token: 'second' })})`
    const connection = await connectionWith({}, output)
    const first = Promise.resolve(connection.credentials(context({ signal: abort.signal })))
    const second = connection.credentials(context())
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect(await second).toMatchObject({ headers: { authorization: 'Bearer second' } })
  })
})

describe('a credential program that fails is named with its install hint and without what it printed', () => {
  it.each([
    ['no JSON', '"hunter2 {"', 'printed no ExecCredential'],
    ['another kind', `JSON.stringify({kind: 'Other', token: 'hunter2'})`, 'printed no ExecCredential'],
    ['another version', credential({ token: 'hunter2' }, v1beta1), `did not answer in ${v1}`],
    ['no status', `JSON.stringify({apiVersion: '${v1}', kind: 'ExecCredential'})`, 'without status'],
    ['nothing', credential({}), 'neither a token nor a client certificate'],
    ['half a certificate', credential({ clientKeyData: 'hunter2' }), 'only one half'],
    ['a bad time', credential({ token: 'hunter2', expirationTimestamp: 'x' }), 'is no time'],
    ['line breaks', credential({ token: 'hunter2\nX-Other: 1' }), 'control characters'],
    ['too much', `'hunter2'.repeat(200000)`, 'printed more than'],
    ['an exit code', `process.exit(3)`, 'failed with exit code 3'],
  ])('%s', async (_what, output, message) => {
    const connection = await connectionWith({ installHint: 'get it from the platform team' }, output)
    const error = await Promise.resolve(connection.credentials(context())).catch((e: unknown) => e as Error)
    expect(error).toMatchObject({ code: 'auth.failed', details: { installHint: 'get it from the platform team' } })
    expect((error as Error).message).toContain(message)
    expect((error as Error).message).toContain('get it from the platform team')
    expect(JSON.stringify(error) + String((error as Error).cause)).not.toContain('hunter2')
  })

  it('is not installed', async () => {
    const exec = {
      apiVersion: v1,
      command: 'lading-no-such-program',
      installHint: 'install it',
      interactiveMode: 'Never',
    }
    const attempt = async () => (await connectionTo(exec)).credentials(context())
    await expect(attempt()).rejects.toMatchObject({
      code: 'auth.failed',
      message: expect.stringMatching(/was not found: install it$/),
    })
  })

  it('hangs', async () => {
    const clock = manualClock()
    await using door = await startTestServer((_res) => void clock.advance(60_000))
    const connection = await connectionWith({ installHint: 'ask the platform team' }, `fetch('${door.url}')`)
    await expect((async () => connection.credentials(context({ clock })))()).rejects.toMatchObject({
      code: 'auth.failed',
      message: `the credential program ${process.execPath} did not end within 60 seconds: ask the platform team`,
    })
  })

  it('needs a terminal where there is none', async () => {
    const connection = await connectionWith({ interactiveMode: 'Always' }, credential({ token: 't' }))
    await expect((async () => connection.credentials(context()))()).rejects.toMatchObject({ code: 'auth.failed' })
  })

  it('has arguments that no program can get', async () => {
    const connection = await connectionWith({ args: ['hunter2\0'] }, credential({ token: 't' }))
    const error = await Promise.resolve(connection.credentials(context())).catch((e: unknown) => e as Error)
    expect(error).toMatchObject({ code: 'auth.failed' })
    expect(String((error as Error).cause) + (error as Error).message).not.toContain('hunter2')
  })
})

/** The source of an expression that gives an ExecCredential's JSON. */
function credential(status: object, apiVersion = v1): string {
  return `JSON.stringify(${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })})`
}

/** A connection whose program counts its runs, notes what it was told, and prints the given expression. */
async function connectionWith(
  exec: Record<string, unknown> & { args?: string[] },
  output: string,
  cluster: object = {},
): Promise<Connection> {
  const script = join(dir, 'program.mjs')
  await writeFile(
    script,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(join(dir, 'runs'))}, 'x')
     const run = readFileSync(${JSON.stringify(join(dir, 'runs'))}, 'utf8').length
     writeFileSync(${JSON.stringify(join(dir, 'told'))}, JSON.stringify({ args: process.argv.slice(2), env: process.env }))
     console.log(await ${output})`,
  )
  const { args = [], ...rest } = exec
  return connectionTo(
    { apiVersion: v1, interactiveMode: 'Never', ...rest, command: process.execPath, args: [script, ...args] },
    cluster,
  )
}

async function connectionTo(exec: object, cluster: object = {}): Promise<Connection> {
  const file = join(dir, 'config')
  const kubeconfig = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://kube', ...cluster } }],
    users: [{ name: 'u', user: { exec } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  }
  await writeFile(file, JSON.stringify(kubeconfig))
  const env = { PATH: process.env['PATH'], INHERITED: 'too' }
  const { connection } = await resolveConnection({ kubeconfig: file, env, terminal: false })
  return connection satisfies { credentials(ctx: never): Credentials | Promise<Credentials> }
}

async function lastRun(): Promise<{ args: string[]; env: Record<string, string> }> {
  return JSON.parse(await readFile(join(dir, 'told'), 'utf8')) as { args: string[]; env: Record<string, string> }
}

async function runs(): Promise<number> {
  return (await readFile(join(dir, 'runs'), 'utf8')).length
}

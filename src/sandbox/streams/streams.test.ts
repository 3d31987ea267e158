import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { npmClients, noNpmClients } from '../../../testbed/npm-clients.ts'
import { context, type LadingError } from '../../core/index.ts'
import { applyObject, type Connected, connect, forwardPort, openExec, openPort } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../start.ts'
import { podFiles } from '../testing/pod-files.ts'

const ctx = context()
const web = { namespace: 'default', name: 'web' }
const http = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
let sandbox: Sandbox
let cluster: Connected
let remove: (() => void)[] = []

beforeAll(async () => {
  sandbox = await startSandbox()
  cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  const annotations = {
    'lading.dev/simulate-exec': JSON.stringify([{ command: ['hostname'], stdout: 'web\n' }]),
    'lading.dev/simulate-port-forward': JSON.stringify({ '8080': http }),
  }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...web, annotations, labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', image: 'web', ports: [{ name: 'http', containerPort: 8080 }] }] },
  }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'shop', namespace: 'default' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  }
  await applyObject(cluster, pod, {}, ctx)
  await applyObject(cluster, service, {}, ctx)
  await sandbox.idle()
})
afterAll(async () => {
  await cluster?.close()
  await sandbox?.stop()
})
afterEach(() => {
  for (const one of remove) one()
  remove = []
})

describe('a command in a pod of the sandbox', () => {
  it('is refused with how to script it', async () => {
    await using session = await openExec(cluster, web, { command: ['ls'] }, ctx)
    await expect(session.exitCode).rejects.toMatchObject({ message: expect.stringContaining('sandbox.onExec()') })
  })

  it('is refused to whoever may not create pods/exec', async () => {
    const nobody = await connect({ kubeconfig: sandbox.kubeconfig, context: 'nobody' }, ctx)
    try {
      const pods = cluster.discovery
      const refused = openExec({ transport: nobody.transport, discovery: pods }, web, { command: ['hostname'] }, ctx)
      await expect(refused).rejects.toMatchObject({ code: 'kube.forbidden' })
    } finally {
      await nobody.close()
    }
  })

  it('answers what the annotation of the pod says', async () => {
    expect(await run(['hostname'])).toEqual({ exitCode: 0, stdout: 'web\n', stderr: '' })
  })

  it('reads stdin until it is closed, and has an exit code', async () => {
    script(async ({ stdin }) => {
      let count = 0
      for await (const chunk of stdin) count += chunk.length
      return { stdout: `${count}`, stderr: 'done', exitCode: 3 }
    })
    const result = await run(['wc', '-c'], { stdin: pieces(40, 100_000) })
    expect(result).toEqual({ exitCode: 3, stdout: '4000000', stderr: 'done' })
  })

  it('ends although its stdin does not', async () => {
    script(() => ({ stdout: 'enough' }))
    expect(await run(['head'], { stdin: new PassThrough() })).toMatchObject({ exitCode: 0, stdout: 'enough' })
  })

  it('fails with the error of its stdin', async () => {
    script(async ({ stdin }) => {
      for await (const _chunk of stdin);
      return {}
    })
    const broken = async function* (): AsyncGenerator<string> {
      yield 'half'
      throw new Error('the disk is gone')
    }
    await expect(run(['cat'], { stdin: broken() })).rejects.toMatchObject({ name: 'LadingError' })
  })

  it('hears the size of its terminal', async () => {
    const sizes: unknown[] = []
    const second = Promise.withResolvers<void>()
    script(async ({ onResize, tty }) => {
      onResize((size) => sizes.push(size) === 2 && second.resolve())
      await second.promise
      return { stdout: String(tty) }
    })
    const output: string[] = []
    const stdout = (chunk: Uint8Array): void => void output.push(Buffer.from(chunk).toString())
    const options = { command: ['top'], tty: { columns: 80, rows: 24 }, stdin: new PassThrough(), stdout }
    await using session = await openExec(cluster, web, options, ctx)
    await session.resize({ columns: 100, rows: 30 })
    expect(await session.exitCode).toBe(0)
    expect(sizes).toEqual([
      { columns: 80, rows: 24 },
      { columns: 100, rows: 30 },
    ])
    expect(output.join('')).toBe('true')
  })

  it('waits while nobody takes its output', async () => {
    let written = 0
    script(async ({ write, signal }) => {
      for (; written < 400 && !signal.aborted; written++) await write('stdout', Buffer.alloc(100_000))
      return {}
    })
    const gate = Promise.withResolvers<void>()
    const first = Promise.withResolvers<void>()
    let received = 0
    const stdout = async (chunk: Uint8Array): Promise<void> => {
      received += chunk.length
      first.resolve()
      await gate.promise
    }
    await using session = await openExec(cluster, web, { command: ['yes'], stdout }, ctx)
    await first.promise
    for (let before = -1; before !== written;) {
      before = written
      for (let turns = 0; turns < 200; turns++) await turn()
    }
    expect(written).toBeLessThan(400)
    gate.resolve()
    expect(await session.exitCode).toBe(0)
    expect(received).toBe(40_000_000)
  })

  it('is left when the signal aborts', async () => {
    const left = Promise.withResolvers<void>()
    script(({ signal }) => {
      signal.addEventListener('abort', () => left.resolve())
      return new Promise(() => {})
    })
    const stop = new AbortController()
    const session = await openExec(cluster, web, { command: ['sleep'] }, context({ signal: stop.signal }))
    stop.abort()
    await expect(session.exitCode).rejects.toMatchObject({ code: 'cancelled' })
    await left.promise
  })
})

describe('a forwarded port', () => {
  it('serves several connections at once; one that fails does not end the others', async () => {
    remove.push(
      sandbox.onPortForward(({ port }) => (port === 7 ? (connection) => void connection.pipe(connection) : undefined)),
    )
    const errors: LadingError[] = []
    const options = { onError: (error: LadingError) => void errors.push(error) }
    await using echo = await forwardPort(cluster, { namespace: 'default', pod: 'web', port: 7 }, options, ctx)
    await using dead = await forwardPort(cluster, { namespace: 'default', pod: 'web', port: 9 }, options, ctx)
    const [one, two] = [connectTcp(echo.port, '127.0.0.1'), connectTcp(echo.port, '127.0.0.1')]
    const broken = connectTcp(dead.port, '127.0.0.1')
    broken.resume()
    await once(broken, 'close')
    expect(errors).toMatchObject([{ code: 'kube.unreachable', message: expect.stringContaining('onPortForward') }])
    one.write('first')
    two.write('second')
    expect(String((await once(two, 'data'))[0])).toBe('second')
    expect(String((await once(one, 'data'))[0])).toBe('first')
    one.destroy()
    two.destroy()
  })

  it('of a service leads to the named port of one of its pods', async () => {
    await using forward = await forwardPort(cluster, { namespace: 'default', service: 'shop', port: 80 }, {}, ctx)
    const answer = await fetch(`http://127.0.0.1:${forward.port}/`)
    expect([forward.pod, await answer.text()]).toEqual(['web', 'hello'])
  })

  it('of a pod that does not exist is refused before anything listens', async () => {
    const forwarding = forwardPort(cluster, { namespace: 'default', pod: 'none', port: 80 }, {}, ctx)
    await expect(forwarding).rejects.toMatchObject({ code: 'kube.not-found' })
  })

  it('is a stream of bytes', async () => {
    const connection = await openPort(cluster, { namespace: 'default', pod: 'web', port: 8080 }, ctx)
    connection.write('GET / HTTP/1.1\r\n\r\n')
    expect((await connection.toArray()).join('')).toBe(http)
  })
})

describe.skipIf(noNpmClients !== undefined)('kubectl', () => {
  it('runs commands with stdin and exit code', async () => {
    script(async ({ stdin }) => ({ stdout: await text(stdin), exitCode: 4 }))
    expect(await kubectl(['exec', '-i', 'web', '--', 'cat'], 'typed')).toMatchObject({ stdout: 'typed', code: 4 })
    expect((await kubectl(['exec', 'web', '--', 'ls'])).stderr).toContain('command terminated with exit code 4')
  })

  it('copies files to a pod and from it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lading-kubectl-cp-'))
    const files = new Map<string, Uint8Array>()
    remove.push(sandbox.onExec(podFiles(files)))
    try {
      await writeFile(join(folder, 'app.conf'), 'port = 1\n')
      expect(await kubectl(['cp', join(folder, 'app.conf'), 'web:/etc/app.conf'])).toMatchObject({ code: 0 })
      expect(String(files.get('/etc/app.conf'))).toBe('port = 1\n')
      expect(await kubectl(['cp', 'web:/etc/app.conf', join(folder, 'back.conf')])).toMatchObject({ code: 0 })
      expect(await readFile(join(folder, 'back.conf'), 'utf8')).toBe('port = 1\n')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('forwards a port, for several connections', async () => {
    const clients = await npmClients()
    const child = execFile(clients!.kubectl, ['--kubeconfig', sandbox.kubeconfig, 'port-forward', 'web', ':8080'])
    try {
      const [line] = (await once(child.stdout!, 'data')) as [string]
      const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      for (let count = 0; count < 3; count++) {
        expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello')
      }
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})

function script(answer: Parameters<Sandbox['onExec']>[0]): void {
  remove.push(sandbox.onExec(answer))
}

async function run(
  command: readonly string[],
  more: { stdin?: AsyncIterable<Uint8Array | string> } = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  await using session = await openExec(cluster, web, { command, stdout, stderr, ...more }, ctx)
  const exitCode = await session.exitCode
  return { exitCode, stdout: await ended(stdout), stderr: await ended(stderr) }
}

async function ended(stream: Writable & AsyncIterable<Uint8Array>): Promise<string> {
  stream.end()
  return text(stream)
}

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString()
}

async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(bytes)
}

async function kubectl(args: string[], stdin = ''): Promise<{ stdout: string; stderr: string; code: number }> {
  const clients = await npmClients()
  return new Promise((resolve) => {
    const all = ['--kubeconfig', sandbox.kubeconfig, ...args]
    const child = execFile(clients!.kubectl, all, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error === null ? 0 : Number(error.code) }),
    )
    child.stdin!.end(stdin)
  })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { context } from '../../../core/index.ts'
import { renderFile, renderText, showing, shownBy, writeFiles } from '../testdata/write-program.ts'

const object = `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }`

describe('a program has no network', () => {
  it('by whatever way it tries', async () => {
    let asked = 0
    const server = createServer((socket) => {
      asked += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const modules = ['net', 'http', 'https', 'http2', 'tls', 'dgram', 'dns']
    const head = modules.map((name) => `import ${name} from 'node:${name}'`).join('\n')
    const text = `${head}
import { createRequire } from 'node:module'
const port = ${port}
const emits = (emitter) => new Promise((resolve, reject) => emitter.on('error', reject).on('connect', resolve).on('response', resolve))
const ways = {
  fetch: () => fetch(\`http://127.0.0.1:\${port}/\`),
  connect: () => emits(net.connect(port, '127.0.0.1')),
  path: () => emits(net.connect('/var/run/docker.sock')),
  socket: () => emits(new net.Socket().connect(port, '127.0.0.1')),
  http: () => emits(http.get(\`http://127.0.0.1:\${port}\`)),
  https: () => emits(https.get(\`https://127.0.0.1:\${port}\`)),
  tls: () => emits(tls.connect(port, '127.0.0.1')),
  http2: () => new Promise((resolve, reject) => http2.connect(\`http://127.0.0.1:\${port}\`).on('error', reject).request().on('error', reject).on('response', resolve)),
  webSocket: () => new Promise((resolve, reject) => Object.assign(new WebSocket(\`ws://127.0.0.1:\${port}\`), { onopen: resolve, onerror: reject })),
  dgram: () => dgram.createSocket('udp4'),
  handle: () => net._createServerHandle('127.0.0.1', 0, 4),
  lookup: () => dns.promises.lookup('localhost'),
  lookupBack: () => dns.lookup('localhost', () => {}),
  resolver: () => new dns.Resolver().resolve('localhost', () => {}),
  server: () => net.createServer().listen(0),
  httpServer: () => http.createServer().listen(0),
  otherwise: () => emits(process.getBuiltinModule('net').connect(port, '127.0.0.1')),
  required: () => emits(createRequire(import.meta.url)('net').connect(port, '127.0.0.1')),
  undone: () => { net.Socket.prototype.connect = () => {}; delete net.Socket.prototype.connect },
}
export default async () => {
  const worked = []
  for (const [name, way] of Object.entries(ways)) await Promise.resolve().then(way).then(() => worked.push(name), () => {})
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { shown: JSON.stringify(worked) } }
}`
    const folder = writeFiles({ 'shop.mjs': text })
    expect(shownBy(await renderFile(join(folder, 'shop.mjs')))).toEqual([])
    expect(asked).toBe(0)
  })

  it('unless it is allowed', async () => {
    const server = createServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi'),
    )
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const text = showing(`fetch('http://127.0.0.1:${port}').then((r) => r.text())`)
    expect(shownBy(await renderText(text, { access: { net: true } }))).toBe('hi')
    await expect(renderText(text)).rejects.toMatchObject({
      code: 'program.denied',
      message: expect.stringContaining('it uses the network, which is not allowed'),
    })
  })
})

describe('a program sees nothing of the machine', () => {
  it('no environment but what is allowed', async () => {
    process.env['LADING_TEST_SECRET'] = 'secret'
    onTestFinished(() => void delete process.env['LADING_TEST_SECRET'])
    expect(shownBy(await renderText(showing('process.env')))).toEqual({ TZ: 'UTC' })
    const access = { env: { STAGE: 'prod' } }
    expect(shownBy(await renderText(showing('process.env.STAGE'), { access }))).toBe('prod')
  })

  it('no files outside of its package, not even by a link', async () => {
    const outside = writeFiles({ 'secret.txt': 'secret', 'secret.json': '{"a":1}' })
    await expect(
      renderText(showing(`fs.readFileSync('${outside}/secret.txt', 'utf8')`, "import fs from 'node:fs'")),
    ).rejects.toMatchObject({
      code: 'program.denied',
      message: expect.stringMatching(/it reads .*secret\.txt, which is outside/),
    })
    const reads = [
      `fs.readFileSync('link.txt', 'utf8')`,
      `fs.promises.readFile('link.txt', 'utf8')`,
      `fs.readFileSync('dir/secret.txt', 'utf8')`,
      `fs.readdirSync('dir')`,
      `fs.openSync('link.txt')`,
      `new Promise((r, j) => fs.createReadStream('link.txt').on('data', r).on('error', j))`,
      `new Promise((r, j) => fs.readFile(new URL('link.txt', import.meta.url), (e, d) => (e ? j(e) : r(String(d)))))`,
      `import('./dir/secret.json', { with: { type: 'json' } })`,
      `files.text('link.txt')`,
      `files.text('${outside}/secret.txt')`,
      `((process as any).permission.has = () => true, fs.readFileSync('link.txt', 'utf8'))`,
    ]
    for (const read of reads) {
      const folder = writeFiles({ 'shop.ts': showing(read, "import fs from 'node:fs'") })
      symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'))
      symlinkSync(outside, join(folder, 'dir'))
      const code = await renderFile(join(folder, 'shop.ts')).catch((error: { code: string }) => error.code)
      expect([read, code]).toEqual([read, 'program.denied'])
    }
    const access = { read: [outside] }
    const text = showing(`fs.readFileSync('${outside}/secret.txt', 'utf8')`, "import fs from 'node:fs'")
    expect(shownBy(await renderText(text, { access }))).toBe('secret')
  })

  it('and does nothing to it', async () => {
    const ways = [
      `(await import('node:fs')).writeFileSync('out.txt', 'a')`,
      `(await import('node:fs')).mkdtempSync('/tmp/a-')`,
      `(await import('node:fs')).symlinkSync('/etc', 'etc')`,
      `(await import('node:child_process')).execFileSync('id')`,
      `new (await import('node:worker_threads')).Worker('1', { eval: true, execArgv: [] })`,
      `new (await import('node:sqlite')).DatabaseSync('a.db')`,
      `process.dlopen({ exports: {} } as any, '/tmp/a.node')`,
      `(process as any).binding('tcp_wrap')`,
      `process.kill(process.ppid, 'SIGKILL')`,
      `(process as any)._kill(process.ppid, 9)`,
      `(await import('node:inspector')).open(0)`,
      `(await import('node:module')).registerHooks({})`,
      `(await import('node:v8')).setFlagsFromString('--allow-natives-syntax')`,
      `(await import('node:os')).userInfo()`,
      `new (await import('node:wasi')).WASI({ version: 'preview1' })`,
    ]
    const tried = ways.map((way) => `try { ${way}; worked.push(${JSON.stringify(way)}) } catch {}`)
    const text = showing(`(async () => { const worked: any[] = []; ${tried.join('\n')}; return worked })()`)
    expect(shownBy(await renderText(text))).toEqual([])
  })

  it.each([
    [
      `(await import('node:fs')).writeFileSync('out.txt', 'a')`,
      /shop\.ts:\d+: it writes .*out\.txt, and a program writes no files/,
    ],
    [`(await import('node:child_process')).execFileSync('id')`, /shop\.ts:\d+: it starts another program/],
    [`process.dlopen({ exports: {} } as any, '/tmp/a.node')`, /shop\.ts:\d+: it loads a native addon/],
    [`process.kill(process.ppid)`, /shop\.ts:\d+: process\.kill is not allowed/],
  ])('%s is refused with the line', async (expression, message) => {
    await expect(renderText(showing(expression))).rejects.toMatchObject({
      code: 'program.denied',
      message: expect.stringMatching(message),
    })
  })
})

describe('a program is bounded', () => {
  it.each([
    ['burns the processor', 'while (true) {}'],
    ['burns it in promises', 'const again = (): any => Promise.resolve().then(again)\nawait again()'],
    ['waits for ever', 'setInterval(() => {}, 1000)\nawait new Promise(() => {})'],
    ['holds on by Atomics', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
  ])('in time, also if it %s', async (_, text) => {
    await expect(renderText(`${text}\nexport default ${object}`, { timeoutMs: 1500 })).rejects.toMatchObject({
      code: 'program.limit',
      message: expect.stringMatching(/shop\.ts did not end within 1\.5 seconds$/),
    })
  })

  it('in what it prints', async () => {
    const text = `for (let i = 0; i < 100; i++) console.log('x'.repeat(1024 * 1024))\nexport default ${object}`
    await expect(renderText(text)).rejects.toThrow('prints more than 1048576 bytes')
  })

  it('in what it renders to', async () => {
    const text = `export default { ...${object}, data: { a: 'x'.repeat(70 * 1024 * 1024) } }`
    await expect(renderText(text)).rejects.toThrow('renders to more than 67108864 bytes')
  })

  it('in memory', async () => {
    const heap = `const a: any[] = []\nfor (;;) a.push(new Array(100_000).fill(a.length))\nexport default ${object}`
    await expect(renderText(heap)).rejects.toThrow('needs more than 1024 MiB of memory')
  })

  it('and ends when the operation is cancelled, or its caller is killed', async () => {
    const folder = writeFiles({ 'shop.ts': `while (true) {}\nexport default ${object}` })
    const controller = new AbortController()
    const running = renderFile(join(folder, 'shop.ts'), {}, context({ signal: controller.signal }))
    setTimeout(() => controller.abort(), 500)
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(childrenIn(folder)).toEqual([])

    const door = new URL('./index.ts', import.meta.url).href
    const caller = join(folder, 'caller.mjs')
    writeFileSync(
      caller,
      `import { renderProgram } from ${JSON.stringify(door)}
const ctx = { signal: new AbortController().signal, log: console, clock: {} }
renderProgram(${JSON.stringify(join(folder, 'shop.ts'))}, { values: {}, release: {}, capabilities: {}, seed: { seed: 'a', renderedAt: new Date().toISOString() } }, ctx)`,
    )
    const process = spawn(globalThis.process.execPath, [caller], { stdio: 'ignore' })
    await expect.poll(() => childrenIn(folder)).toHaveLength(1)
    process.kill('SIGKILL')
    await expect.poll(() => childrenIn(folder)).toEqual([])
  })
})

describe('a program that fails', () => {
  it.each([
    ['throws', `export default () => {\n  throw new Error('not today')\n}`, 'shop.ts:2: not today'],
    [
      'throws below',
      `import { f } from './lib.ts'\nexport default () => f()`,
      'lib.ts:2: Cannot read properties of undefined',
    ],
    [
      'throws later',
      `setTimeout(() => {\n  throw new Error('late') })\nexport default new Promise(() => {})`,
      'shop.ts:2: late',
    ],
    [
      'rejects',
      `Promise.reject(new Error('unseen'))\nexport default new Promise((r) => setTimeout(r, 1000))`,
      'shop.ts:1: unseen',
    ],
    ['throws no error', `throw 'a text'`, 'shop.ts: it threw a text'],
    ['has a syntax error', `export default {\n  a: ]`, /shop\.ts:2: .*Expression expected|shop\.ts:2: /],
    ['has an enum', `enum A { B }\nexport default A`, /shop\.ts.*enum is not supported/],
    ['imports what is not there', `import 'left-pad'\nexport default {}`, "Cannot find package 'left-pad'"],
    ['exits', `process.exit(0)`, 'shop.ts ended before it gave its objects'],
    ['exits with a code', `export default () => process.exit(7)`, 'shop.ts ended itself with code 7'],
    ['never settles', `export default new Promise(() => {})`, 'or waits for something that never comes'],
    [
      'breaks what it is run with',
      `JSON.stringify = () => '1'; Array.prototype.map = () => []; Object.entries = () => []; Promise.prototype.then = () => {}\nexport default ${object}`,
      /./,
    ],
  ])('and %s says where', async (_, text, problem) => {
    const more = { 'lib.ts': 'export const f = (a?: any) =>\n  a.b' }
    await expect(renderText(text, { timeoutMs: 10_000 }, more)).rejects.toThrow(problem)
  })

  it('and is no ES module says what to change', async () => {
    const more = { 'package.json': '{"type":"commonjs"}' }
    const text = `import 'node:fs'\nexport default ${object}`
    await expect(renderText(text, {}, more)).rejects.toThrow(/shop\.ts:1: .*set "type": "module" there/)
  })

  it('and changes prototypes changes nothing outside', async () => {
    const text = `(Object.prototype as any).polluted = 'yes'\nexport default [${object}]`
    const { objects } = await renderText(text)
    expect(objects.map(({ kind }) => kind)).toEqual(['ConfigMap'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const garbled = `(Array.prototype as any).toJSON = () => 'no'\nexport default [${object}]`
    await expect(renderText(garbled)).rejects.toThrow('shop.ts changed what it is rendered with')
  })
})

/** Processes that run a program of a folder. */
function childrenIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false
    }
  })
}

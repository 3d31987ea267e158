import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../main.ts'

let folder: string
let kubeconfig: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lading-cli-sandbox-'))
  kubeconfig = join(folder, 'kubeconfig')
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('lading sandbox start', () => {
  it('prints where it is, runs until interrupted, and leaves nothing behind', async () => {
    const running = start('-o', 'json')
    const data = JSON.parse(await running.ready) as Record<string, string>
    expect(data).toEqual({ url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as string, kubeconfig })
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
    expect(readFileSync(kubeconfig, 'utf8')).toContain(data['url'])
    expect(await running.end()).toBe(0)
    expect(existsSync(kubeconfig)).toBe(false)
  })

  it('shows no token', async () => {
    const running = start('-o', 'json')
    const printed = await running.ready
    const { users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { users: { user: { token: string } }[] }
    for (const { user } of users) expect(printed + running.stderr()).not.toContain(user.token)
    await running.end()
  })

  it('runs a registry beside it', async () => {
    const running = start('-o', 'json', '--registry-port', '0')
    const { registry } = JSON.parse(await running.ready) as { registry: string }
    expect((await fetch(`http://${registry}/v2/`)).status).toBe(200)
    await running.end()
  })

  it('does not write over a kubeconfig that is not its own', async () => {
    writeFileSync(kubeconfig, 'apiVersion: v1\nkind: Config\n')
    const running = start()
    expect(await running.end()).toBe(2)
    expect(running.stderr()).toContain('was not written by a sandbox')
    expect(readFileSync(kubeconfig, 'utf8')).toBe('apiVersion: v1\nkind: Config\n')
  })

  it('says so when the port is taken', async () => {
    const first = start('-o', 'json')
    const { url } = JSON.parse(await first.ready) as { url: string }
    const second = start('--port', new URL(url).port, '--kubeconfig', join(folder, 'other'))
    expect(await second.end()).toBe(6)
    expect(second.stderr()).toContain('is taken')
    await first.end()
  })
})

describe('lading sandbox faults', () => {
  it('sets, lists and takes back', async () => {
    const running = start('-o', 'json')
    await running.ready
    const set = await run(
      'sandbox',
      'faults',
      'add',
      'error',
      '--verb',
      'write',
      '--code',
      '503',
      '--count',
      '2',
      '-o',
      'json',
    )
    expect(JSON.parse(set.stdout)).toMatchObject({
      id: 1,
      fault: 'error',
      verb: 'write',
      code: 503,
      count: 2,
      struck: 0,
    })
    const listed = await run('sandbox', 'faults', 'list')
    expect(listed.stdout).toMatch(/^ID +FAULT +VERB.*\n1 +error +write/)
    expect(JSON.parse((await run('sandbox', 'faults', 'clear', '-o', 'json')).stdout)).toEqual([])
    await running.end()
  })

  it('names what cannot be a fault', async () => {
    const running = start('-o', 'json')
    await running.ready
    const refused = await run('sandbox', 'faults', 'add', 'earthquake')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('drop-watch')
    await running.end()
  })
})

function start(...argv: string[]): { ready: Promise<string>; stderr(): string; end(): Promise<number> } {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  const own = argv.includes('--kubeconfig') ? [] : ['--kubeconfig', kubeconfig]
  const { io, output } = world(controller.signal, resolve)
  const ended = main(['sandbox', 'start', ...argv, ...own], io)
  const end = (): Promise<number> => {
    controller.abort()
    return ended
  }
  return { ready: promise, stderr: () => output.stderr, end }
}

async function run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { io, output } = world(new AbortController().signal)
  const code = await main([...argv, '--kubeconfig', kubeconfig], io)
  return { code, ...output }
}

function world(
  signal: AbortSignal,
  onData?: (text: string) => void,
): {
  io: Parameters<typeof main>[1]
  output: { stdout: string; stderr: string }
} {
  const output = { stdout: '', stderr: '' }
  const stdout = {
    write: (text: string) => {
      output.stdout += text
      onData?.(output.stdout)
    },
  }
  const stderr = { write: (text: string) => (output.stderr += text) }
  return { io: { stdout, stderr, stdin: Readable.from([]), env: {}, cwd: folder, signal }, output }
}

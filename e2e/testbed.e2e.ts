import { execFile, fork } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import {
  type ApiAnswer,
  type ApiClient,
  apiClientOf,
  ensureTool,
  isolatedGit,
  startGitServer,
  startRegistry,
} from '../testbed/index.ts'
import { isAlive } from '../testbed/file-lock.ts'

const namespace = `testbed-${process.pid}`
/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
let api: ApiClient

beforeAll(async () => {
  api = await apiClientOf(inject('kubeconfig'))
  await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
})

afterAll(async () => {
  await api.request('DELETE', `/api/v1/namespaces/${namespace}`)
  api.close()
})

describe('the control plane', () => {
  it('is a current Kubernetes', async () => {
    const { major, minor } = (await api.request('GET', '/version')).json as { major: string; minor: string }
    expect(major).toBe('1')
    expect(Number(minor)).toBeGreaterThanOrEqual(35)
  })

  it('refuses the unprivileged user with 403', async () => {
    const nobody = await client('nobody')
    const answer = await nobody.request('GET', `/api/v1/namespaces/${namespace}/pods`)
    expect(answer.status).toBe(403)
    expect(answer.json).toMatchObject({ kind: 'Status', reason: 'Forbidden' })
  })

  it('lets the editor write in one namespace only, and the reader read in all', async () => {
    const editor = await client('editor')
    const configMap = { metadata: { generateName: 'testbed-' } }
    expect((await editor.request('POST', '/api/v1/namespaces/editor/configmaps', configMap)).status).toBe(201)
    expect((await editor.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, configMap)).status).toBe(403)
    const reader = await client('reader')
    expect((await reader.request('GET', `/api/v1/namespaces/${namespace}/configmaps`)).status).toBe(200)
    expect((await reader.request('POST', '/api/v1/namespaces/editor/configmaps', configMap)).status).toBe(403)
  })

  it('tells the throttled user 429 while another of its requests is being served', async () => {
    const throttled = await client('throttled')
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    // A LIST that wants a version from the future holds its place for about three seconds, if it gets it.
    const answers: Promise<ApiAnswer>[] = []
    const state = { settled: false }
    const held = throttled.request('GET', `${path}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`)
    answers.push(held.finally(() => (state.settled = true)))
    while (!state.settled) {
      answers.push(throttled.request('GET', path))
      await answers.at(-1)
    }
    const refused = (await Promise.all(answers)).find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toBeDefined()
    // Unlike every other refusal this one is plain text, not a Status object.
    expect(refused?.headers['content-type']).toMatch(/^text\/plain/)
  })
})

describe('the registry', () => {
  beforeAll(() => ensureTool('registry'), buildTimeout)

  it('answers anybody', async () => {
    const registry = await startRegistry()
    onTestFinished(() => registry.stop())
    expect((await fetch(`${registry.url}/v2/`)).status).toBe(200)
  })

  it('wants a user and a password where it should', async () => {
    const registry = await startRegistry({ auth: true })
    onTestFinished(() => registry.stop())
    const refused = await fetch(`${registry.url}/v2/`)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /)
    const authorization = `Basic ${btoa(`${registry.user}:${registry.password}`)}`
    expect((await fetch(`${registry.url}/v2/`, { headers: { authorization } })).status).toBe(200)
  })
})

describe('the git server', () => {
  it('lets git clone and push over HTTP', async () => {
    const git = await startGitServer()
    onTestFinished(() => git.stop())
    const clone = await mkdtemp(join(tmpdir(), 'lading-clone-'))
    onTestFinished(() => rm(clone, { recursive: true }))
    const run = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)('git', args, { cwd: clone, env: { ...process.env, ...isolatedGit } })).stdout.trim()

    const commit = await git.commit('app', { 'deploy/config.yaml': 'a: 1\n' })
    await run('clone', '--quiet', commit.url, '.')
    expect(await readFile(join(clone, 'deploy/config.yaml'), 'utf8')).toBe('a: 1\n')
    expect(await run('rev-parse', 'HEAD')).toBe(commit.sha)
    await run('commit', '--quiet', '--allow-empty', '--message=pushed')
    await run('push', '--quiet', 'origin', 'HEAD:refs/heads/pushed')
    expect(await run('ls-remote', 'origin', 'refs/heads/pushed')).toContain(await run('rev-parse', 'HEAD'))
  })
})

describe('a second testbed', () => {
  it('runs beside the first, and leaves no process and no file when its owner is killed', async () => {
    const owner = fork(fileURLToPath(new URL('../testbed/testdata/testbed-owner.ts', import.meta.url)), {
      execArgv: [],
    })
    onTestFinished(() => void owner.kill('SIGKILL'))
    const { kubeconfig } = await new Promise<{ kubeconfig: string }>((resolve, reject) => {
      owner.once('message', (message) => resolve(message as { kubeconfig: string }))
      owner.once('exit', (code) => reject(new Error(`the owner ended with code ${code}`)))
    })
    const second = await apiClientOf(kubeconfig)
    onTestFinished(() => second.close())
    const path = `/api/v1/namespaces/${namespace}`
    expect([(await api.request('GET', path)).status, (await second.request('GET', path)).status]).toEqual([200, 404])

    const folder = dirname(kubeconfig)
    const pids = await processesUsing(folder)
    expect(pids.length).toBeGreaterThanOrEqual(5)
    owner.kill('SIGKILL')
    await expect.poll(() => pids.filter(isAlive), { timeout: 60_000 }).toEqual([])
    await expect
      .poll(
        () =>
          stat(folder).then(
            () => 'there',
            () => 'gone',
          ),
        { timeout: 60_000 },
      )
      .toBe('gone')
  })
})

async function client(user: string): Promise<ApiClient> {
  const opened = await apiClientOf(inject('kubeconfig'), user)
  onTestFinished(() => opened.close())
  return opened
}

async function processesUsing(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found: number[] = []
  for (const pid of pids) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (commandLine.includes(folder)) found.push(Number(pid))
  }
  return found
}

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../src/cli/testdata/run-cli.ts'
import { type GitServer, isolatedGit, startGitServer } from '../testbed/git-server.ts'
import { writeFiles } from '../testing/write-files.ts'

const run = promisify(execFile)
const env = { ...process.env, ...isolatedGit }
const deployment = (image: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: ${image}\n`

// Enough of one text that the server packs the second commit's files as deltas.
const long = (text: string) => Array.from({ length: 400 }, (_, line) => `line ${line} ${text}`).join('\n')

let folder: string
let server: GitServer
let commit: string
let host: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-remote-'))
  server = await startGitServer()
  host = new URL(server.url).host
  await server.commit('shop', files('web:1'))
  commit = (await server.commit('shop', files('web:2'))).sha
  const bare = join(server.folder, 'shop.git')
  await run('git', ['-C', bare, 'tag', 'v2', commit], { env })
  await run('git', ['-C', bare, 'tag', '-a', '-m', 'signed off', 'v2-annotated', commit], { env })
  await run('git', ['-C', bare, 'repack', '-adfq', '--depth=50', '--window=50'], { env })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

function files(image: string): Record<string, string> {
  return {
    'base/kustomization.yaml':
      'resources: [web.yaml, ../shared]\nconfigMapGenerator: [{name: text, files: [one.txt, two.txt]}]\n',
    'base/web.yaml': deployment(image),
    'base/one.txt': long('a'),
    'base/two.txt': long('a').replace('line 7 a', 'line 7 b'),
    'shared/kustomization.yaml': 'resources: [account.yaml]\n',
    'shared/account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: web\n',
    'part/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -part\n',
  }
}

describe('a kustomization with remote bases', () => {
  it.each([
    ['a tag', () => 'v2', ''],
    ['a tag with an object of its own', () => 'v2-annotated', ''],
    ['a commit', () => commit, ''],
    ['annotations of where things come from', () => 'v2', 'buildMetadata: [originAnnotations]\n'],
  ])('by %s comes to what kubectl kustomize builds', async (_what, ref, more) => {
    const at = (path: string) => `${server.url}/shop.git//${path}?ref=${ref()}`
    const kustomization = `namePrefix: my-\nresources: ["${at('base')}"]\ncomponents: ["${at('part')}"]\n${more}`
    await writeFiles(folder, { 'kustomization.yaml': kustomization })
    const original = await run('kubectl', ['kustomize', folder], { env })
    const { code, stdout, stderr } = await runCli({ cwd: folder }, 'build', '.', '--allow-remote', host)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(original.stdout)
  })

  it('by a branch is refused unless that is allowed, and held to its first commit by a lock', async () => {
    await writeFiles(folder, { 'kustomization.yaml': `resources: ["${server.url}/moving.git//.?ref=main"]\n` })
    const first = await server.commit('moving', { 'kustomization.yaml': 'configMapGenerator: [{name: a}]\n' })
    const build = (...more: string[]) => runCli({ cwd: folder }, 'build', '.', '--allow-remote', host, ...more)
    expect((await build()).stderr).toContain('--allow-unpinned')
    expect((await build('--allow-unpinned', '--remote-lock', 'remotes.json')).code).toBe(0)
    expect(JSON.parse(await readFile(join(folder, 'remotes.json'), 'utf8'))).toEqual({
      remotes: [{ type: 'git', url: `${server.url}/moving.git`, ref: 'main', commit: first.sha }],
    })
    await server.commit('moving', { 'kustomization.yaml': 'configMapGenerator: [{name: b}]\n' })
    const moved = await build('--allow-unpinned', '--remote-lock', 'remotes.json')
    expect(moved.code).not.toBe(0)
    expect(moved.stderr).toContain('earlier build')
  })
})

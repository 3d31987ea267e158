import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { context } from '../../core/index.ts'
import { commitAll } from '../testdata/open-pipeline.ts'
import { fetchGit } from './fetch-git.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-git-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

test('a commit that is pinned is fetched alone, whatever the branch has moved on to', async () => {
  const first = await commit('repo', { 'a.yaml': 'one' })
  const second = await commit('repo', { 'a.yaml': 'two' })
  const pinned = await fetchGit(source('repo', { commit: first, ref: 'main' }), join(folder, 'pinned'), context())
  expect(pinned.commit).toBe(first)
  expect(await text('pinned/a.yaml')).toBe('one')
  const newest = await fetchGit(source('repo'), join(folder, 'newest'), context())
  expect(newest.commit).toBe(second)
  expect(git('newest', 'rev-list', '--count', 'HEAD')).toBe('1')
  expect(newest.time.getTime()).toBe(Number(git('repo', 'log', '-1', '--format=%ct')) * 1000)
})

test('a tag is fetched by its name, and one that is not there is told without the password of the address', async () => {
  const tagged = await commit('repo', { 'a.yaml': 'one' })
  git('repo', 'tag', 'v1')
  await commit('repo', { 'a.yaml': 'two' })
  expect((await fetchGit(source('repo', { ref: 'v1' }), join(folder, 'tagged'), context())).commit).toBe(tagged)
  const missing = fetchGit(source('repo', { ref: 'v2' }), join(folder, 'missing'), context())
  await expect(missing).rejects.toMatchObject({ code: 'git.failed', message: expect.stringContaining('v2') })
  const secret = { ...source('repo'), url: 'http://jane:hush-hush@127.0.0.1:1/x.git' }
  await expect(fetchGit(secret, join(folder, 'secret'), context())).rejects.toMatchObject({
    code: 'git.failed',
    message: expect.not.stringContaining('hush-hush'),
  })
})

test('hooks of a template folder are not run', async () => {
  await commit('repo', { 'a.yaml': 'one' })
  const hook = join(folder, 'templates/hooks/post-checkout')
  await mkdir(join(folder, 'templates/hooks'), { recursive: true })
  await writeFile(hook, `#!/bin/sh\ntouch ${join(folder, 'hooked')}\n`)
  await chmod(hook, 0o755)
  await mkdir(join(folder, 'home'))
  await writeFile(join(folder, 'home/.gitconfig'), `[init]\n  templateDir = ${join(folder, 'templates')}\n`)
  vi.stubEnv('HOME', join(folder, 'home'))
  await fetchGit(source('repo'), join(folder, 'out'), context())
  expect(await readdir(folder)).not.toContain('hooked')
})

test('submodules stay away unless they are asked for', async () => {
  await commit('inner', { 'inner.yaml': 'inner' })
  await commit('repo', { 'a.yaml': 'one' })
  git('repo', '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', pathToFileURL(at('inner')).href, 'sub')
  await commit('repo', {})
  await fetchGit(source('repo'), join(folder, 'without'), context())
  expect(await readdir(join(folder, 'without/sub'))).toEqual([])
  // Git itself allows submodules of this machine's files only where its owner says so.
  await mkdir(join(folder, 'home'))
  await writeFile(join(folder, 'home/.gitconfig'), '[protocol "file"]\n  allow = always\n')
  vi.stubEnv('HOME', join(folder, 'home'))
  await fetchGit(source('repo', { recurse_submodules: true }), join(folder, 'with'), context())
  expect(await text('with/sub/inner.yaml')).toBe('inner')
})

test('a repository is fetched through the proxy of the environment', async () => {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(502).end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('http_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  const far = { ...source('repo'), url: 'http://git.example/shop.git' }
  await expect(fetchGit(far, join(folder, 'far'), context())).rejects.toMatchObject({ code: 'git.failed' })
  await new Promise((resolve) => proxy.close(resolve))
  expect(asked[0]).toMatch(/^http:\/\/git\.example\/shop\.git\/info\/refs/)
})

test('a fetch is cancelled', async () => {
  await commit('repo', { 'a.yaml': 'one' })
  const cancelled = fetchGit(source('repo'), join(folder, 'out'), context({ signal: AbortSignal.abort() }))
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
})

const at = (name: string): string => join(folder, name)

function source(name: string, more: object = {}) {
  return { url: pathToFileURL(at(name)).href, path: '.', recurse_submodules: false, ...more }
}

async function commit(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(at(name), { recursive: true })
  for (const [file, content] of Object.entries(files)) await writeFile(join(at(name), file), content)
  return commitAll(at(name))
}

function git(name: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: at(name), stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()
}

async function text(name: string): Promise<string> {
  return readFile(at(name), 'utf8')
}

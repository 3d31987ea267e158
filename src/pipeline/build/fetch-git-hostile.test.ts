import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { fetchGit } from './fetch-git.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-git-hostile-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const proof = () => join(folder, 'owned')

it.each([
  ['a transport that runs a command', () => `ext::sh -c touch% ${proof()}`],
  ['an option', () => `--upload-pack=touch ${proof()}`],
  ['a helper of another name', () => 'fd::17'],
  ['a path without a scheme', () => '../../etc'],
  ['an ssh host that is an option', () => `me@-oProxyCommand=touch ${proof()}:shop`],
])('%s is no repository, and nothing is run', async (_what, url) => {
  await expect(fetch(url())).rejects.toMatchObject({ code: 'config.invalid' })
  expect(await readdir(folder)).toEqual([])
})

it('an ssh host that is an option is not handed to ssh where it stands in a URL', async () => {
  await expect(fetch(`ssh://-oProxyCommand=touch${proof()}/shop`)).rejects.toMatchObject({ code: 'git.failed' })
  expect(existsSync(proof())).toBe(false)
})

it('a branch that is an option is refused', async () => {
  const failure = fetch(`file://${folder}`, `--upload-pack=touch ${proof()}`)
  await expect(failure).rejects.toMatchObject({ code: 'config.invalid' })
  expect(await readdir(folder)).toEqual([])
})

function fetch(url: string, ref?: string) {
  const source = { url, path: '.', recurse_submodules: false, ...(ref === undefined ? {} : { ref }) }
  return fetchGit(source, join(folder, 'to'), context())
}

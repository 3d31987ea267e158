import { describe, expect, it } from 'vitest'
import { isRemote, parseRemote, parseRemoteFile } from './parse-remote.ts'
import { refuseRemote } from './remote.ts'

it.each([
  ['https://example.com/base.yaml', 'example.com'],
  ['http://example.com/base?ref=v1', 'example.com'],
  ['https://example.com:8443/org/repo//base?ref=v1', 'example.com:8443'],
  ['git@github.com:owner/repo.git', 'github.com'],
  ['ssh://git@example.com/owner/repo', 'example.com'],
  ['git::https://example.com/owner/repo', 'example.com'],
  ['git::ssh://git@example.com/repo', 'example.com'],
  ['file:///etc', ''],
  ['github.com/owner/repo//base?ref=main', 'github.com'],
  ['example.com/owner/repo.git//base', 'example.com'],
  ['dev.azure.com/owner/project/_git/repo', 'dev.azure.com'],
])('%s is on another host, and the refusal names the flag', (path, host) => {
  expect(isRemote(path)).toBe(true)
  expect(refuseRemote(path)).toMatchObject({
    code: 'kustomize.refused',
    details: { host },
    message: expect.stringContaining(`--allow-remote ${host === '' ? 'HOST' : host} `) as string,
  })
})

it.each(['https://me:hush@example.com/x.yaml', 'git::https://hush@example.com/x', 'me:hush@example.com:x.git'])(
  '%s is refused without its credentials',
  (path) => {
    expect(JSON.stringify(refuseRemote(path))).not.toContain('hush')
    expect(() => parseRemote(path)).toThrow(
      expect.objectContaining({ code: 'kustomize.refused', message: expect.not.stringContaining('hush') as string }),
    )
  },
)

it.each(['base', '../base', './a.b/c', 'v1.2/base', 'apiVersion: v1\nurl: https://example.com'])(
  '%j is none',
  (path) => {
    expect(isRemote(path)).toBe(false)
  },
)

describe('a remote base', () => {
  it.each([
    ['https://example.com/org/repo//a/b?ref=v1', 'https://example.com/org/repo', 'a/b', 'v1'],
    ['https://example.com/group/sub/repo//a?ref=v1', 'https://example.com/group/sub/repo', 'a', 'v1'],
    ['github.com/org/repo//a?ref=v1', 'https://github.com/org/repo', 'a', 'v1'],
    ['github.com/org/repo/a/b/?version=v1', 'https://github.com/org/repo', 'a/b', 'v1'],
    ['https://github.com/org/repo?ref=v1&version=v2', 'https://github.com/org/repo', '', 'v1'],
    ['https://example.com/org/repo.git/a?ref=v1', 'https://example.com/org/repo.git', 'a', 'v1'],
    ['https://example.com/repo.git//a', 'https://example.com/repo.git', 'a', ''],
    ['git::https://example.com/org/repo', 'https://example.com/org/repo', '', ''],
    ['https://git@example.com/org/repo?ref=v1', 'https://example.com/org/repo', '', 'v1'],
    ['https://dev.azure.com/o/p/_git/repo/a?ref=v1', 'https://dev.azure.com/o/p/_git/repo', 'a', 'v1'],
    ['http://127.0.0.1:8080/shop.git//a?ref=v1', 'http://127.0.0.1:8080/shop.git', 'a', 'v1'],
  ])('%s is a folder of a repository', (text, url, path, ref) => {
    expect(parseRemote(text)).toEqual({ type: 'folder', path, repository: { type: 'git', url, ref, submodules: true } })
  })

  it('reads submodules and timeout as kustomize spells them', () => {
    const read = (query: string) => parseRemote(`https://example.com/org/repo//a?ref=v1&${query}`)
    expect(read('submodules=false')).toMatchObject({ repository: { submodules: false } })
    expect(read('submodules=1')).toMatchObject({ repository: { submodules: true } })
    expect(read('timeout=90')).toMatchObject({ repository: { timeoutMs: 90_000 } })
    expect(read('timeout=2m')).toMatchObject({ repository: { timeoutMs: 120_000 } })
    expect(() => read('timeout=soon')).toThrow(/no duration/)
  })

  it.each([
    'https://raw.example.com/org/repo/v1/a.yaml',
    'https://github.com/org/repo/releases/download/v1/install.yaml',
    'https://github.com/org/repo/raw/v1/a.yaml',
    'https://gitlab.com/api/v4/projects/1/repository/files/a.yaml/raw?ref=v1',
  ])('%s is a file', (url) => {
    expect(parseRemote(url)).toEqual({ type: 'file', url })
    expect(parseRemoteFile(url)).toEqual({ type: 'file', url })
  })

  it.each([
    ['git@github.com:org/repo.git', /https:\/\/HOST/],
    ['ssh://git@example.com/org/repo', /https:\/\/HOST/],
    ['git::ssh://git@example.com/repo', /https:\/\/HOST/],
    ['file:///etc', /https:\/\/HOST/],
    ['https://example.com/org/repo//../../x?ref=v1', /leads out of its repository/],
    ['https://example.com/org/repo//a/%2e%2e/%2E%2e/x?ref=v1', /leads out of its repository/],
    ['git::https://example.com/%ff', /names no repository/],
  ])('%s is refused', (text, words) => {
    expect(() => parseRemote(text)).toThrow(
      expect.objectContaining({ code: 'kustomize.refused', message: expect.stringMatching(words) as string }),
    )
  })
})

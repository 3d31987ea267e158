import { expect, it } from 'vitest'
import { isRemote, refuseRemote } from './remote.ts'

it.each([
  ['https://example.com/base.yaml', 'example.com'],
  ['http://example.com/base?ref=v1', 'example.com'],
  ['git@github.com:owner/repo.git', 'github.com'],
  ['ssh://git@example.com/owner/repo', 'example.com'],
  ['git::https://example.com/owner/repo', 'example.com'],
  ['git::ssh://git@example.com/repo', 'example.com'],
  ['file:///etc', ''],
  ['github.com/owner/repo//base?ref=main', 'github.com'],
  ['example.com/owner/repo.git//base', 'example.com'],
  ['dev.azure.com/owner/project/_git/repo', 'dev.azure.com'],
])('%s is on another host', (path, host) => {
  expect(isRemote(path)).toBe(true)
  expect(refuseRemote(path, [])).toMatchObject({ code: 'kustomize.refused', details: { host } })
  expect(refuseRemote(path, [host]).message).toContain('reads no network')
})

it.each(['https://me:hush@example.com/x.yaml', 'git::https://hush@example.com/x', 'me:hush@example.com:x.git'])(
  '%s is refused without its credentials',
  (path) => {
    expect(JSON.stringify(refuseRemote(path, []))).not.toContain('hush')
  },
)

it.each(['base', '../base', './a.b/c', 'v1.2/base', 'apiVersion: v1\nurl: https://example.com'])(
  '%j is none',
  (path) => {
    expect(isRemote(path)).toBe(false)
  },
)

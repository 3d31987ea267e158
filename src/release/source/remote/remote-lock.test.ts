import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readRemoteLock, writeRemoteLock } from './remote-lock.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'lading-lock-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const digest = `sha256:${'a'.repeat(64)}`
const git = { type: 'git', url: 'https://git.example/a', ref: 'v1', commit: 'b'.repeat(40) } as const
const file = { type: 'file', url: 'https://files.example/a.yaml', digest } as const
const chart = { type: 'chart', url: 'https://charts.example', name: 'a', version: '1.0.0', digest } as const

it('reads back what was written', async () => {
  await writeRemoteLock(join(folder, 'lock.json'), [git, file, chart])
  expect(await readRemoteLock(join(folder, 'lock.json'))).toEqual([git, file, chart])
})

it.each([
  ['no digest', { ...file, digest: undefined }],
  ['an empty digest', { ...chart, digest: '' }],
  ['a digest of another kind', { ...file, digest: 'md5:1' }],
  ['a branch as commit', { ...git, commit: 'main' }],
  ['no ref', { ...git, ref: undefined }],
  ['no version', { ...chart, version: undefined }],
  ['no name', { ...chart, name: '' }],
  ['another type', { ...file, type: 'directory' }],
])('a lock with an entry that has %s is refused', async (_what, entry) => {
  writeFileSync(join(folder, 'lock.json'), JSON.stringify({ remotes: [git, entry] }))
  await expect(readRemoteLock(join(folder, 'lock.json'))).rejects.toMatchObject({ code: 'config.invalid' })
})

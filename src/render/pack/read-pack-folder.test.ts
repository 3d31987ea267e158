import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPackFolder } from './read-pack-folder.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lading-pack-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

it('a pack whose links multiply what is below them is refused', async () => {
  for (let at = 0; at <= 31; at++) await mkdir(join(root, `d${at}`))
  for (let at = 0; at < 31; at++) {
    for (const name of ['a', 'b']) await symlink(`../d${at + 1}`, join(root, `d${at}`, name))
  }
  await expect(readPackFolder(root)).rejects.toMatchObject({
    code: 'archive.refused',
    message: `d0/${'a/'.repeat(16)}a is a symlink below 16 others: so many are not followed`,
  })
})

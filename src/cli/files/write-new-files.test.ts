import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeNewFiles } from './write-new-files.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lading-new-files-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const file = (text: string, mode?: number) => ({ content: Buffer.from(text), ...(mode === undefined ? {} : { mode }) })

it('files are written with their modes, into folders that are made for them', async () => {
  await writeNewFiles(
    join(folder, 'a/b'),
    new Map([
      ['c/d.sh', file('x', 0o777)],
      ['e', file('y')],
    ]),
  )
  expect(readFileSync(join(folder, 'a/b/c/d.sh'), 'utf8')).toBe('x')
  expect(statSync(join(folder, 'a/b/c/d.sh')).mode & 0o777).toBe(0o755 & ~process.umask())
  expect(statSync(join(folder, 'a/b/e')).mode & 0o777).toBe(0o644 & ~process.umask())
})

it('where one cannot be written none is left, and what was there stays', async () => {
  mkdirSync(join(folder, 'out/there'), { recursive: true })
  writeFileSync(join(folder, 'out/there/mine'), 'mine')
  const files = new Map([
    ['new/a', file('a')],
    ['there/b', file('b')],
    // Longer than a name may be on a disk.
    ['new/deep/'.concat('x'.repeat(300)), file('c')],
  ])
  await expect(writeNewFiles(join(folder, 'out'), files)).rejects.toThrow('cannot be written (ENAMETOOLONG)')
  expect(readdirSync(join(folder, 'out'))).toEqual(['there'])
  expect(readdirSync(join(folder, 'out/there'))).toEqual(['mine'])
  const taken = new Map([
    ['a', file('a')],
    ['there/mine', file('b')],
  ])
  await expect(writeNewFiles(join(folder, 'out'), taken)).rejects.toThrow('exists already')
  expect(readFileSync(join(folder, 'out/there/mine'), 'utf8')).toBe('mine')
  expect(existsSync(join(folder, 'out/a'))).toBe(false)
})

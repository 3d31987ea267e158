import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writePrivateFile } from './write-private-file.ts'

describe.runIf(process.platform === 'linux')('a file that only its owner may read', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lading-private-'))
  })

  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('replaces the file that is there, and closes it to others', async () => {
    const path = join(folder, 'plan.json')
    writeFileSync(path, 'old', { mode: 0o644 })
    await writePrivateFile(path, 'new')
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600])
    expect(readdirSync(folder)).toEqual(['plan.json'])
  })

  it('replaces a link to a file, and leaves that file as it is', async () => {
    const [path, target] = [join(folder, 'plan.json'), join(folder, 'target')]
    writeFileSync(target, 'theirs')
    symlinkSync(target, path)
    await writePrivateFile(path, 'new')
    expect([lstatSync(path).isSymbolicLink(), readFileSync(target, 'utf8')]).toEqual([false, 'theirs'])
  })

  it('goes into a pipe, also behind a link as /dev/stdout is one, and the pipe stays one', async () => {
    const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')]
    execFileSync('mkfifo', [pipe])
    symlinkSync(pipe, link)
    for (const path of [pipe, link]) {
      const read = readFile(pipe, 'utf8')
      await writePrivateFile(path, 'new')
      expect(await read).toBe('new')
    }
    expect([lstatSync(pipe).isFIFO(), lstatSync(link).isSymbolicLink()]).toEqual([true, true])
    expect(readdirSync(folder).sort()).toEqual(['link', 'pipe'])
  })

  it('goes to an open file by its number, and the link that names it stays', async () => {
    const path = join(folder, 'log')
    writeFileSync(path, 'before ')
    const file = await open(path, 'a')
    await writePrivateFile(`/proc/self/fd/${file.fd}`, 'new')
    await file.close()
    expect(readFileSync(path, 'utf8')).toBe('before new')
  })

  // A link, so that a mistake here cannot cost the machine its device.
  it('that is a full device is refused as that', async () => {
    const link = join(folder, 'full')
    symlinkSync('/dev/full', link)
    await expect(writePrivateFile(link, 'new')).rejects.toMatchObject({ code: 'disk.full' })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })
})

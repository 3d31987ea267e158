import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readGivenFile, readLimited } from './given-file.ts'

const run = promisify(execFile)

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lading-given-'))
})
afterEach(() => rm(dir, { recursive: true }))

it('a regular file is read, and one that is too long is refused', async () => {
  const path = join(dir, 'file')
  await writeFile(path, 'content')
  expect(String(await readGivenFile(path))).toBe('content')
  await expect(readGivenFile(path, { maxBytes: 6 })).rejects.toMatchObject({
    code: 'input.too-large',
    message: `${path} has more than the 6 bytes that are allowed`,
  })
})

it('a device is refused at once, also through a link, and /dev/null is empty', async () => {
  const link = join(dir, 'key.pem')
  await symlink('/dev/zero', link)
  for (const path of ['/dev/zero', '/dev/urandom', link]) {
    await expect(readGivenFile(path)).rejects.toMatchObject({
      code: 'file.unreadable',
      message: `${path} is a device, not a regular file`,
    })
  }
  expect((await readGivenFile('/dev/null')).length).toBe(0)
})

it('a pipe is read to its end, up to the limit', async () => {
  const pipe = join(dir, 'pipe')
  await run('mkfifo', [pipe])
  const [read] = await Promise.all([readGivenFile(pipe), writeFile(pipe, 'through a pipe')])
  expect(String(read)).toBe('through a pipe')
})

it('a stream without an end is refused', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(65_536)
    })(),
  )
  await expect(readLimited(endless, 'standard input', 1_000_000)).rejects.toMatchObject({ code: 'input.too-large' })
})

it('what the file system says is handed on', async () => {
  await expect(readGivenFile(join(dir, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(readGivenFile(dir)).rejects.toMatchObject({ code: 'EISDIR' })
})

import { spawnSync } from 'node:child_process'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { context } from '../src/core/index.ts'
import { withFileLock } from './file-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('lets one work at a time and removes the lock afterwards', async () => {
  const path = join(folder, 'a.lock')
  let inside = 0
  let most = 0
  const clock = { now: () => 0, sleep: () => new Promise<void>((resolve) => void setImmediate(resolve)) }
  const work = (): Promise<void> =>
    withFileLock(
      path,
      async () => {
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside--
      },
      context({ clock }),
    )
  await Promise.all([work(), work(), work()])
  expect(most).toBe(1)
  await expect(access(path)).rejects.toThrow('ENOENT')
})

it('takes over from a process that died', async () => {
  const path = join(folder, 'a.lock')
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(path, `${pid}\n`)
  expect(await withFileLock(path, async () => 'done', context())).toBe('done')
})

it('gives the lock back when the work fails', async () => {
  const path = join(folder, 'a.lock')
  const failing = withFileLock(path, async () => Promise.reject(new RangeError('broken')), context())
  await expect(failing).rejects.toThrow('broken')
  expect(await withFileLock(path, async () => 'done', context())).toBe('done')
})

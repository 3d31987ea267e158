import { fork } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { context } from '../src/core/index.ts'
import { isAlive } from './file-lock.ts'
import { openProcesses } from './processes.ts'
import { waitUntil } from './wait-until.ts'

it('ends processes and removes the folder on stop', async () => {
  const processes = await openProcesses()
  const sleep = await processes.start({ name: 'sleep', command: 'sleep', args: ['600'] })
  expect(isAlive(sleep.pid)).toBe(true)
  await processes.stop()
  expect(isAlive(sleep.pid)).toBe(false)
  await expect(access(processes.folder)).rejects.toThrow('ENOENT')
  await processes.stop()
})

it('ends one process and keeps the others', async () => {
  const processes = await openProcesses()
  onTestFinished(() => processes.stop())
  const one = await processes.start({ name: 'one', command: 'sleep', args: ['600'] })
  const other = await processes.start({ name: 'other', command: 'sleep', args: ['600'] })
  await one.stop()
  expect([one.exit, isAlive(other.pid)]).toEqual(['signal SIGKILL', true])
})

it('says which program cannot be started', async () => {
  const processes = await openProcesses()
  onTestFinished(() => processes.stop())
  const missing = processes.start({ name: 'missing', command: '/does/not/exist', args: [] })
  await expect(missing).rejects.toThrow(/cannot start missing: .*ENOENT/)
})

it('shows the log of a process that ends while it is waited for', async () => {
  const processes = await openProcesses()
  onTestFinished(() => processes.stop())
  const broken = await processes.start({ name: 'broken', command: 'sh', args: ['-c', 'echo no such flag; exit 3'] })
  const waiting = waitUntil('it was ready', async () => false, { processes: [broken] }, context())
  await expect(waiting).rejects.toThrow('broken ended with code 3 before it was ready:\nno such flag')
})

it('leaves nothing behind when its owner is killed', async () => {
  const owner = fork(fileURLToPath(new URL('./testdata/process-owner.ts', import.meta.url)), { execArgv: [] })
  onTestFinished(() => void owner.kill('SIGKILL'))
  const started = await new Promise<{ folder: string; pid: number; log: string; supervisor: number }>((resolve) => {
    owner.once('message', (message) => resolve(message as never))
  })
  const grandchild = async (): Promise<number> => Number.parseInt(await readFile(started.log, 'utf8'), 10)
  await expect.poll(grandchild).toBeGreaterThan(0)
  const pids = [started.pid, await grandchild(), started.supervisor]
  expect(pids.filter(isAlive)).toEqual(pids)
  owner.kill('SIGKILL')
  await expect.poll(() => pids.filter(isAlive), { timeout: 60_000 }).toEqual([])
  await expect(access(started.folder)).rejects.toThrow('ENOENT')
})

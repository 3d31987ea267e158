import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../src/core/index.ts'

/** Runs `work` while no other process on this machine holds the lock file; a dead holder's lock is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>, ctx: Context): Promise<T> {
  await mkdir(dirname(path), { recursive: true })
  let told = false
  while (!(await take(path))) {
    const holder = await holderOf(path)
    // Two waiters may both find the holder dead and both go on: what is guarded here is only work done twice.
    if (holder !== undefined && !isAlive(holder)) await rm(path, { force: true })
    else {
      if (!told) process.stderr.write(`waiting for process ${holder ?? '?'}, which holds ${path}\n`)
      told = true
      await ctx.clock.sleep(200, ctx.signal)
    }
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

// In a container whose first process does not reap orphans, a dead one keeps its id for ever.
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function holderOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return Number.isNaN(pid) ? undefined : pid
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

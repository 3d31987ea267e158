import { open, rename, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { type Context, monotonicNow } from '../../core/index.ts'
import { cancelled } from '../registry/network/wire-error.ts'
import { layoutError } from './layout-files.ts'

/** A lock is held for one small write; one that stays for longer was left behind by a process that is gone. */
const staleMs = 30_000

/** How far the time of day may be off, or be set, before a lock that is older is taken for one that was left behind without looking. */
const clockSkewMs = 3_600_000

/** Runs work while no other process does, by a file that only one can make. */
export async function withLock<T>(path: string, work: () => Promise<T>, ctx: Context): Promise<T> {
  const seen: Seen = { made: undefined, since: 0 }
  for (let tries = 0; !(await take(path)); tries++) {
    if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
    if (await isStale(path, seen, ctx)) await breakLock(path)
    else await pause(Math.min(100, 5 * (tries + 1)), ctx)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw layoutError(path, `cannot be written: ${code ?? 'unknown reason'}`, error)
  }
}

/** The lock of another as it was first seen, and when. */
interface Seen {
  made: string | undefined
  since: number
}

async function isStale(path: string, seen: Seen, { clock }: Context): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return false
  // Times of files are the machine's, whatever clock the work runs by.
  if (Math.abs(Date.now() - stats.mtimeMs) > clockSkewMs) return true
  const made = `${stats.ino} ${stats.mtimeMs}`
  if (made !== seen.made) Object.assign(seen, { made, since: monotonicNow(clock) })
  return monotonicNow(clock) - seen.since > staleMs
}

/** Only one of those who find a lock stale gets to remove it. */
async function breakLock(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  await rename(path, aside).catch(() => undefined)
  await rm(aside, { force: true })
}

async function pause(ms: number, ctx: Context): Promise<void> {
  try {
    await ctx.clock.sleep(ms, ctx.signal)
  } catch {
    throw cancelled(ctx.signal.reason)
  }
}

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LadingError, parseJson, stringifyJson } from '../../core/index.ts'

/** Takes a folder for this process; gives the way to release it. A lock whose process is gone is taken over. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'lock')
  const draft = `${path}.${process.pid}`
  const mine = stringifyJson({ pid: process.pid, started: startOf(process.pid) })
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    for (let tries = 0; ; tries++) {
      if (tookOver(draft, path)) break
      const holder = holderOf(path)
      if (holder !== undefined && isAlive(holder)) throw inUse(folder, holder.pid)
      if (tries > 10) throw inUse(folder, holder?.pid)
      rmSync(path, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return () => rmSync(path, { force: true })
}

interface Holder {
  readonly pid: number
  /** Tells a process from a later one with the same number. */
  readonly started: string
}

// A link appears with its content at once, where a file that is created is empty first.
function tookOver(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function holderOf(path: string): Holder | undefined {
  try {
    return parseJson(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return startOf(pid) === started
}

/** When a process was started, in the kernel's ticks; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function inUse(folder: string, pid: number | undefined): LadingError {
  return new LadingError(
    'sandbox.in-use',
    `${folder} is kept by another sandbox${pid === undefined ? '' : ` (process ${pid})`}`,
    {
      folder,
      ...(pid === undefined ? {} : { pid }),
    },
  )
}

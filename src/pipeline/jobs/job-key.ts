import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LadingError } from '../../core/index.ts'

const keyBytes = 32
/** A key takes 45 bytes; whatever is much longer is another file. */
const maxFileBytes = 1024

/** Reads the key of a job store, base64 on one line, which must be readable by its owner alone; undefined if there is no such file. */
export function readJobKey(file: string): Buffer | undefined {
  let text: string
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw keyError(file, 'is not a file')
    checkOwner(file, stat.uid, stat.mode)
    if (stat.size > maxFileBytes) throw keyError(file, 'does not hold a key')
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, 'read', error)
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== keyBytes || key.toString('base64') !== text.trim()) throw keyError(file, 'does not hold a key')
  return key
}

/** Makes a random key in a new file; if another process was faster, its key is the one that counts. */
export function createJobKey(file: string): Buffer {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeSync(descriptor, `${randomBytes(keyBytes).toString('base64')}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    // Unlike a rename, a link never replaces a key that jobs were encrypted with meanwhile.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, 'created', error)
  } finally {
    rmSync(draft, { force: true })
  }
  const key = readJobKey(file)
  if (key === undefined) throw keyError(file, 'disappeared')
  return key
}

/** What is wrong with a key file. */
export function keyError(file: string, problem: string, details: Record<string, string> = {}): LadingError {
  return new LadingError('job.key-invalid', `the key file ${file} ${problem}`, { file, ...details })
}

/** A Secret that is mounted into a Pod belongs to root, and the group of the Pod may read it. */
function checkOwner(file: string, uid: number, mode: number): void {
  const own = process.getuid?.()
  if (own === undefined) return
  if (uid !== own && uid !== 0) throw keyError(file, 'belongs to another user')
  if ((mode & (uid === own ? 0o077 : 0o037)) !== 0) {
    throw keyError(file, `can be read or written by others (mode ${(mode & 0o777).toString(8)}): chmod 600 it`)
  }
}

function unusable(file: string, verb: string, error: unknown): LadingError {
  if (error instanceof LadingError) return error
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  const problem = `the key file ${file} cannot be ${verb} (${code})`
  return new LadingError('job.key-invalid', problem, { file }, { cause: error })
}

import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { denial, replace } from './denial.ts'

const readers = [
  'readFile',
  'readFileSync',
  'open',
  'openSync',
  'readdir',
  'readdirSync',
  'opendir',
  'opendirSync',
  'openAsBlob',
]
const asyncReaders = ['readFile', 'open', 'readdir', 'opendir']

type Reader = (this: unknown, ...args: unknown[]) => unknown

/**
 * Holds links to where they lead: Node's permissions look at the path that is asked for, and a link below the program's folder may lead
 * anywhere. Notes each file that is read.
 */
export function guardFiles(note: (path: string) => void): void {
  // Taken now: whatever the program changes later does not change these.
  const may = process.permission.has.bind(process.permission)
  const { apply } = Reflect
  const realPath = fs.realpathSync.native
  const isBuffer = Buffer.isBuffer.bind(Buffer)
  const guard = (read: Reader): Reader =>
    function guarded(this: unknown, path: unknown, ...rest: unknown[]) {
      if (typeof path === 'number') return apply(read, this, [path, ...rest])
      const text = typeof path === 'string' ? path : isBuffer(path) ? path.toString() : fileURLToPath(path as URL)
      const real = realPathOf(text)
      if (real !== undefined && !may('fs.read', real)) throw denial(`it reads ${text}, which leads to ${real}`)
      if (real !== undefined) note(real)
      return apply(read, this, [text, ...rest])
    }
  const realPathOf = (path: string): string | undefined => {
    try {
      return realPath(path)
    } catch {
      // Whoever reads it says what is wrong.
      return undefined
    }
  }
  for (const name of readers) guardOf(fs, name, guard)
  for (const name of asyncReaders) guardOf(fs.promises, name, guard)
}

function guardOf(target: object, name: string, guard: (read: Reader) => Reader): void {
  const read = (target as Record<string, unknown>)[name]
  if (typeof read === 'function') replace(target, name, guard(read as Reader))
}

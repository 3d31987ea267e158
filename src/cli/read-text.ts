import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { LadingError } from '../core/index.ts'
import type { Io } from './io.ts'

/** The text of a file, or of standard input for `-`. */
export async function readText(io: Pick<Io, 'stdin' | 'signal'>, path: string): Promise<string> {
  try {
    return path === '-' ? await text(io.stdin) : await readFile(path, { encoding: 'utf8', signal: io.signal })
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    if (name === 'AbortError') throw error
    const problem = code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read (${code ?? name})`
    const kind = code === 'ENOENT' ? 'file.not-found' : 'file.unreadable'
    throw new LadingError(kind, problem, { file: path }, { cause: error })
  }
}

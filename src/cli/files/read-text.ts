import { isLadingError, LadingError, readGivenFile, readLimited } from '../../core/index.ts'
import type { Io } from '../io.ts'

/** The text of a file, or of standard input for `-`; devices and what is longer than 64 MiB are refused. */
export async function readText(io: Pick<Io, 'stdin' | 'signal'>, path: string): Promise<string> {
  try {
    const bytes =
      path === '-'
        ? await readLimited(io.stdin as AsyncIterable<Uint8Array | string>, 'standard input')
        : await readGivenFile(path, { signal: io.signal })
    return bytes.toString('utf8')
  } catch (error) {
    if (isLadingError(error)) throw error
    const { code, name } = error as NodeJS.ErrnoException
    if (name === 'AbortError') throw error
    const problem = code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read (${code ?? name})`
    const kind = code === 'ENOENT' ? 'file.not-found' : 'file.unreadable'
    throw new LadingError(kind, problem, { file: path }, { cause: error })
  }
}

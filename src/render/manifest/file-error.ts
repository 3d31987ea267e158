import { type Context, LadingError } from '../../core/index.ts'

/** A failure of the file system as an error that names the file. */
export function fileError(error: unknown, file: string, ctx: Context): LadingError {
  const { code } = error as NodeJS.ErrnoException
  if (ctx.signal.aborted)
    return new LadingError('cancelled', `reading ${file} was cancelled`, { file }, { cause: error })
  if (code === 'ENOENT') return new LadingError('file.not-found', `${file} does not exist`, { file }, { cause: error })
  return new LadingError(
    'file.unreadable',
    `${file} cannot be read (${code ?? 'unknown'})`,
    { file, code },
    { cause: error },
  )
}

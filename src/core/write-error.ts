import { LadingError } from './errors.ts'

/** The codes of a disk, or of a user's part of one, that has no room left. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The error for a file that cannot be written; a full disk is told apart, for it is not the file that is wrong. */
export function writeError(file: string, error: unknown): LadingError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  if (fullCodes.has(code)) {
    return new LadingError(
      'disk.full',
      `${file} cannot be written: the disk is full (${code})`,
      { file, code },
      { cause: error },
    )
  }
  return new LadingError('file.unreadable', `${file} cannot be written (${code})`, { file, code }, { cause: error })
}

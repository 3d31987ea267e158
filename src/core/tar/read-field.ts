import { LadingError } from '../errors.ts'

/** The text of a field, which ends at a NUL byte or with the field. */
export function readText(field: Uint8Array, strict: boolean): string {
  const end = field.indexOf(0)
  const used = end < 0 ? field : field.subarray(0, end)
  // A name with a NUL inside means one file to C programs and another to the rest.
  if (strict && end >= 0 && field.subarray(end).some((byte) => byte !== 0)) throw damaged('a name has a NUL byte')
  try {
    return new TextDecoder('utf-8', { fatal: strict, ignoreBOM: true }).decode(used)
  } catch (error) {
    throw damaged('a name is no UTF-8', error)
  }
}

/** The number of a field: octal digits, or base 256 as GNU writes what those cannot hold. */
export function readNumber(header: Uint8Array, at: number, length: number, what: string): number {
  const field = header.subarray(at, at + length)
  if ((field[0] ?? 0) >= 0x80) {
    const value = field.subarray(1).reduce((all, byte) => all * 256 + byte, (field[0] ?? 0) & 0x7f)
    if (!Number.isSafeInteger(value)) throw damaged(`an entry has a ${what} that is too large`)
    return value
  }
  const digits = Buffer.from(field)
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .replace(/^ +/, '')
  if (!/^[0-7]*$/.test(digits)) throw damaged(`an entry has a ${what} that is no octal number`)
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

/** The error for an archive that is not what a tar is. */
export function damaged(problem: string, cause?: unknown): LadingError {
  return new LadingError('archive.invalid', `the tar archive is damaged: ${problem}`, {}, { cause })
}

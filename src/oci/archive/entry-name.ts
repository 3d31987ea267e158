import { LadingError } from '../../core/index.ts'

/**
 * The one spelling of a path in an archive: relative, without `.`, `..` and empty parts. What could mean another place than it
 * seems to, on this or another system, is refused; undefined is the root itself.
 */
export function entryName(name: string, maxLength: number): string | undefined {
  const refused = (why: string): LadingError =>
    new LadingError('archive.refused', `the archive has an entry ${JSON.stringify(name.slice(0, 200))}: ${why}`)
  if (Buffer.byteLength(name) > maxLength) throw refused(`the name is longer than ${maxLength} bytes`)
  if (name.startsWith('/')) throw refused('absolute paths are not unpacked')
  // To Windows these are separators and drives.
  if (/\\|^[A-Za-z]:/.test(name)) throw refused('backslashes and drive letters are not allowed in names')
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\0-\x1f\x7f]/.test(name)) throw refused('control characters are not allowed in names')
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refused('paths with .. are not unpacked')
  return parts.length === 0 ? undefined : parts.join('/')
}

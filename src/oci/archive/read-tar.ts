import { LadingError } from '../../core/index.ts'
import type { ArchiveLimits } from './limits.ts'
import { readPax } from './read-pax.ts'

/** What an entry of an archive is. */
export type TarEntryType = 'file' | 'folder' | 'symlink' | 'hardlink' | 'device'

/** An entry as the archive has it; the name is not judged yet. */
export interface TarEntry {
  readonly name: string
  readonly type: TarEntryType
  readonly mode: number
  readonly content: Uint8Array
}

const block = 512
const types: ReadonlyMap<string, TarEntryType> = new Map([
  ['\0', 'file'],
  ['0', 'file'],
  ['7', 'file'],
  ['5', 'folder'],
  ['2', 'symlink'],
  ['1', 'hardlink'],
  ['3', 'device'],
  ['4', 'device'],
  ['6', 'device'],
])

/** Reads the entries of a tar (ustar, pax and GNU long names); contents are views of it. Anything unexpected is an error. */
export function* readTar(archive: Uint8Array, limits: ArchiveLimits): Generator<TarEntry, void> {
  let pax: ReadonlyMap<string, string> = new Map()
  let longName: string | undefined
  let count = 0
  for (let at = 0; ;) {
    const header = archive.subarray(at, at + block)
    if (header.byteLength < block) throw invalid('it ends too early')
    if (header.every((byte) => byte === 0)) {
      checkEnd(archive, at)
      if (pax.size > 0 || longName !== undefined) throw invalid('it ends after an extended header')
      return
    }
    checkChecksum(header)
    count += 1
    if (count > limits.entries) {
      throw new LadingError('input.too-large', `the archive has more than ${limits.entries} entries`)
    }
    const type = String.fromCharCode(header[156] ?? 0)
    // Only entries of the archive proper are resized; an extended header of unusual size could hide what follows it.
    const size = 'xgLK'.includes(type) ? readNumber(header, 124, 12, 'size') : sizeOf(header, pax)
    if (size > limits.entryBytes) {
      throw new LadingError('input.too-large', `an entry has ${size} bytes where ${limits.entryBytes} are allowed`)
    }
    const start = at + block
    const content = archive.subarray(start, start + size)
    at = start + Math.ceil(size / block) * block
    if (content.byteLength < size || at > archive.byteLength) throw invalid('it ends too early')
    if (type === 'x') pax = readPax(content)
    else if (type === 'L') longName = text(content)
    // Global headers carry comments, as those of `git archive`; the target of a long link is of no use.
    else if (type !== 'g' && type !== 'K') {
      const name = pax.get('path') ?? longName ?? ownName(header)
      yield { name, type: typeOf(type, name), mode: readNumber(header, 100, 8, 'mode') & 0o777, content }
      pax = new Map()
      longName = undefined
    }
  }
}

function sizeOf(header: Uint8Array, pax: ReadonlyMap<string, string>): number {
  const size = pax.get('size')
  if (size === undefined) return readNumber(header, 124, 12, 'size')
  if (!/^\d{1,15}$/.test(size)) throw invalid('an extended header has a size that is none')
  return Number(size)
}

function typeOf(flag: string, name: string): TarEntryType {
  const type = types.get(flag)
  if (type === undefined) throw invalid(`entry ${JSON.stringify(name.slice(0, 200))} is of an unknown type`)
  // Before POSIX a trailing slash was what made a folder.
  return type === 'file' && name.endsWith('/') ? 'folder' : type
}

function ownName(header: Uint8Array): string {
  const name = text(header.subarray(0, 100))
  // GNU's own format keeps times where POSIX has the prefix.
  const posix = Buffer.from(header.subarray(257, 263)).toString('latin1') === 'ustar\0'
  const prefix = posix ? text(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0)
  const used = end < 0 ? field : field.subarray(0, end)
  // A name with a NUL inside means one file to C programs and another to the rest.
  if (end >= 0 && field.subarray(end).some((byte) => byte !== 0)) throw invalid('a name has a NUL byte')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(used)
  } catch {
    throw invalid('a name is no UTF-8')
  }
}

function readNumber(header: Uint8Array, at: number, length: number, what: string): number {
  const field = header.subarray(at, at + length)
  // GNU writes what octal digits cannot hold in base 256, marked by the highest bit.
  if ((field[0] ?? 0) >= 0x80) {
    const value = field.subarray(1).reduce((all, byte) => all * 256 + byte, (field[0] ?? 0) & 0x7f)
    if (!Number.isSafeInteger(value)) throw invalid(`an entry has a ${what} that is too large`)
    return value
  }
  const digits = Buffer.from(field)
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .replace(/^ +/, '')
  if (!/^[0-7]*$/.test(digits)) throw invalid(`an entry has a ${what} that is no octal number`)
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

function checkChecksum(header: Uint8Array): void {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  if (readNumber(header, 148, 8, 'checksum') !== sum) throw invalid('the checksum of a header does not fit')
}

function checkEnd(archive: Uint8Array, at: number): void {
  if (archive.byteLength < at + 2 * block) throw invalid('it ends too early')
  if (archive.subarray(at).some((byte) => byte !== 0)) throw invalid('garbage follows its end')
}

function invalid(what: string): LadingError {
  return new LadingError('archive.invalid', `the tar archive is damaged: ${what}`)
}

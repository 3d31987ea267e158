import { LadingError } from '../errors.ts'
import { damaged, readNumber, readText } from './read-field.ts'
import { type PaxFields, readPax } from './read-pax.ts'

/** An entry as the archive has it; the name is not checked yet, and the content is a view of the archive. */
export interface TarEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'symlink' | 'hardlink' | 'device' | 'unknown'
  readonly mode: number
  readonly content: Uint8Array
}

/** How an archive is read. */
export interface TarReading {
  /**
   * Whether names must be UTF-8, the end be marked and nothing follow it. Otherwise an archive may be as careless as Go's
   * archive/tar lets it be.
   */
  readonly strict: boolean
  /** Entries at most, extended headers included (default: no limit). */
  readonly maxEntries?: number
  /** Bytes of one entry at most (default: no limit). */
  readonly maxEntryBytes?: number
}

const block = 512
const types: ReadonlyMap<string, TarEntry['type']> = new Map([
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

/** Extended headers: of pax for one entry and for all, and GNU's long names and long targets of links. */
const extensions = 'xgLK'

/** What extended headers said about the entry that follows. */
interface Announced {
  readonly pax?: PaxFields
  readonly longName?: string
}

/** Reads the entries of a tar (ustar, pax and GNU long names) in memory. */
export function* readTar(archive: Uint8Array, reading: TarReading): Generator<TarEntry, void> {
  const { strict, maxEntries = Infinity } = reading
  let announced: Announced | undefined
  for (let at = 0, count = 1; ; count++) {
    const header = archive.subarray(at, at + block)
    if (header.byteLength < block || header.every((byte) => byte === 0)) {
      if (strict) checkEnd(archive, at, announced)
      return
    }
    checkChecksum(header)
    if (count > maxEntries) throw new LadingError('input.too-large', `the archive has more than ${maxEntries} entries`)
    const type = String.fromCharCode(header[156] ?? 0)
    const isExtension = extensions.includes(type)
    // Only entries of the archive proper are resized; an extended header of unusual size could hide what follows it.
    const size = (isExtension ? undefined : announced?.pax?.size) ?? readNumber(header, 124, 12, 'size')
    const content = contentAt(archive, at + block, size, reading)
    at += block + paddedSize(size)
    if (isExtension) announced = announce(type, content, announced, strict)
    else {
      const name = announced?.longName ?? announced?.pax?.path ?? ownName(header, strict)
      yield { name, type: typeOf(type, name), mode: readNumber(header, 100, 8, 'mode') & 0o777, content }
      announced = undefined
    }
  }
}

function contentAt(archive: Uint8Array, start: number, size: number, reading: TarReading): Uint8Array {
  const { strict, maxEntryBytes = Infinity } = reading
  if (size > maxEntryBytes) {
    throw new LadingError('input.too-large', `an entry has ${size} bytes where ${maxEntryBytes} are allowed`)
  }
  const needed = strict ? paddedSize(size) : size
  if (start + needed > archive.byteLength) throw damaged('it ends too early')
  return archive.subarray(start, start + size)
}

function paddedSize(size: number): number {
  return Math.ceil(size / block) * block
}

function announce(
  type: string,
  content: Uint8Array,
  before: Announced | undefined,
  strict: boolean,
): Announced | undefined {
  switch (type) {
    case 'x':
      return { ...before, pax: readPax(content, strict) }
    case 'L':
      return { ...before, longName: readText(content, strict) }
    default:
      // Global headers carry comments, as those of `git archive`; the target of a long link is of no use.
      return before
  }
}

function typeOf(flag: string, name: string): TarEntry['type'] {
  const type = types.get(flag) ?? 'unknown'
  // Before POSIX a trailing slash was what made a folder.
  return type === 'file' && name.endsWith('/') ? 'folder' : type
}

function ownName(header: Uint8Array, strict: boolean): string {
  const name = readText(header.subarray(0, 100), strict)
  // GNU's own format keeps times where POSIX has the prefix.
  const posix = Buffer.from(header.subarray(257, 263)).toString('latin1') === 'ustar\0'
  const prefix = posix ? readText(header.subarray(345, 500), strict) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function checkChecksum(header: Uint8Array): void {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  if (readNumber(header, 148, 8, 'checksum') !== sum) throw damaged('the checksum of a header does not fit')
}

function checkEnd(archive: Uint8Array, at: number, announced: Announced | undefined): void {
  if (archive.byteLength < at + 2 * block) throw damaged('it ends too early')
  if (archive.subarray(at).some((byte) => byte !== 0)) throw damaged('garbage follows its end')
  if (announced !== undefined) throw damaged('it ends after an extended header')
}

import { LadingError } from '../../core/index.ts'
import { entryName } from './entry-name.ts'
import { defaultArchiveLimits } from './limits.ts'

/** A file of an archive. */
export interface ArchiveFile {
  readonly content: Uint8Array
  /** 0644 unless told. */
  readonly mode?: number
}

const block = 512
/** Two blocks of zeros end an archive (POSIX, ustar interchange format). */
const trailer = new Uint8Array(2 * block)

/** Writes files as a tar that depends on nothing but them: sorted by name, no times, no owners. */
export function packTar(files: ReadonlyMap<string, ArchiveFile>): Uint8Array {
  const names = [...files.keys()].sort()
  const parts: Uint8Array[] = []
  for (const name of names) {
    if (entryName(name, defaultArchiveLimits.nameBytes) !== name) {
      throw new LadingError('archive.refused', `${JSON.stringify(name)} is no plain relative path`)
    }
    const { content, mode = 0o644 } = files.get(name) as ArchiveFile
    const { prefix, rest, extended } = splitName(name)
    // Extended headers only where a name does not fit, so that plain archives are plain ustar.
    if (extended) addEntry(parts, headerOf('pax/path', '', 'x', 0o644), pathRecord(name))
    addEntry(parts, headerOf(rest, prefix, '0', mode), content)
  }
  parts.push(trailer)
  return Buffer.concat(parts)
}

function addEntry(parts: Uint8Array[], header: Uint8Array, content: Uint8Array): void {
  writeOctal(header, content.byteLength, 124, 12)
  writeChecksum(header)
  parts.push(header, content)
  const padding = (block - (content.byteLength % block)) % block
  if (padding > 0) parts.push(new Uint8Array(padding))
}

function splitName(name: string): { prefix: string; rest: string; extended: boolean } {
  // oxlint-disable-next-line no-control-regex -- ASCII is what ustar names are made of
  const ascii = /^[\0-\x7f]*$/.test(name)
  if (ascii && name.length <= 100) return { prefix: '', rest: name, extended: false }
  const slash = name.indexOf('/', name.length - 101)
  if (ascii && slash > 0 && slash <= 155) {
    return { prefix: name.slice(0, slash), rest: name.slice(slash + 1), extended: false }
  }
  return { prefix: '', rest: 'long-name', extended: true }
}

/** A record of a pax header: its own length in decimal, the digits of the length included. */
function pathRecord(name: string): Uint8Array {
  const body = ` path=${name}\n`
  const bytes = Buffer.byteLength(body)
  const guess = bytes + String(bytes).length
  return Buffer.from(`${bytes + String(guess).length}${body}`)
}

function headerOf(name: string, prefix: string, type: string, mode: number): Uint8Array {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100, 'latin1')
  writeOctal(header, mode & 0o777, 100, 8)
  writeOctal(header, 0, 108, 8)
  writeOctal(header, 0, 116, 8)
  writeOctal(header, 0, 136, 12)
  header.write(type, 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  writeOctal(header, 0, 329, 8)
  writeOctal(header, 0, 337, 8)
  header.write(prefix, 345, 155, 'latin1')
  return header
}

function writeOctal(header: Uint8Array, value: number, at: number, length: number): void {
  Buffer.from(header.buffer, header.byteOffset, block).write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
}

function writeChecksum(header: Uint8Array): void {
  header.fill(0x20, 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  Buffer.from(header.buffer, header.byteOffset, block).write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
}

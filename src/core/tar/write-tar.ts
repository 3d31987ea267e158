import { LadingError } from '../errors.ts'

/** A file of an archive. */
export interface ArchiveFile {
  readonly content: Uint8Array
  /** The mode (default: 0644). */
  readonly mode?: number
}

const block = 512
/** Two blocks of zeros end an archive (POSIX, ustar interchange format). */
const trailer = new Uint8Array(2 * block)

/** Writes files and folders (names that end in a slash) in their order as a tar that depends on nothing but them and the seconds since 1970 given: no owners. */
export function writeTar(files: Iterable<readonly [name: string, file: ArchiveFile]>, modified = 0): Uint8Array {
  const parts: Uint8Array[] = []
  for (const [name, { content, mode = 0o644 }] of files) {
    const split = splitName(name)
    // Extended headers only where a name does not fit, so that plain archives are plain ustar.
    if (split === undefined) addEntry(parts, headerOf('pax/path', '', 'x', 0o644, modified), pathRecord(name))
    const type = name.endsWith('/') ? '5' : '0'
    addEntry(parts, headerOf(split?.rest ?? 'long-name', split?.prefix ?? '', type, mode, modified), content)
  }
  parts.push(trailer)
  return Buffer.concat(parts)
}

function splitName(name: string): { prefix: string; rest: string } | undefined {
  // oxlint-disable-next-line no-control-regex -- ASCII is what ustar names are made of
  if (!/^[\0-\x7f]*$/.test(name)) return undefined
  if (name.length <= 100) return { prefix: '', rest: name }
  const slash = name.indexOf('/', name.length - 101)
  return slash > 0 && slash <= 155 ? { prefix: name.slice(0, slash), rest: name.slice(slash + 1) } : undefined
}

/** A record of a pax header: its own length in decimal, the digits of the length included. */
function pathRecord(name: string): Uint8Array {
  const body = ` path=${name}\n`
  const bytes = Buffer.byteLength(body)
  const guess = bytes + String(bytes).length
  return Buffer.from(`${bytes + String(guess).length}${body}`)
}

function headerOf(name: string, prefix: string, type: string, mode: number, modified: number): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100, 'latin1')
  header.write(octal(mode & 0o777, 7), 100, 'latin1')
  // The owner's and the group's number, as those of the device below: nobody's.
  header.write(octal(0, 7), 108, 'latin1')
  header.write(octal(0, 7), 116, 'latin1')
  header.write(octal(modified, 11), 136, 'latin1')
  header.write(type, 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(octal(0, 7), 329, 'latin1')
  header.write(octal(0, 7), 337, 'latin1')
  header.write(prefix, 345, 155, 'latin1')
  return header
}

function addEntry(parts: Uint8Array[], header: Buffer, content: Uint8Array): void {
  header.write(octal(content.byteLength, 11), 124, 'latin1')
  header.fill(0x20, 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  parts.push(header, content)
  const padding = (block - (content.byteLength % block)) % block
  if (padding > 0) parts.push(new Uint8Array(padding))
}

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, '0')
  if (text.length > digits) throw new LadingError('input.too-large', `${value} does not fit into a tar`)
  return text
}

import { gzipSync } from 'node:zlib'
import { LadingError } from '../../../core/index.ts'

const block = 512
const osByte = 9
const osUnknown = 255

/** Writes files as a .tgz that depends on nothing but them and the time given: their order, no owners, mode 0644. */
export function writeTgz(files: ReadonlyMap<string, Uint8Array>, modified: Date): Uint8Array {
  const seconds = Math.max(0, Math.floor(modified.getTime() / 1000))
  const parts: Uint8Array[] = []
  for (const [name, data] of files) {
    const split = splitName(name)
    if (split === undefined) addEntry(parts, headerOf('pax/path', '', 'x', seconds), pathRecord(name))
    addEntry(parts, headerOf(split?.name ?? 'long-name', split?.prefix ?? '', '0', seconds), data)
  }
  const packed = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 })
  // Which system it was packed on is nobody's business (RFC 1952, section 2.3.1).
  packed[osByte] = osUnknown
  return packed
}

function addEntry(parts: Uint8Array[], header: Buffer, data: Uint8Array): void {
  header.write(octal(data.byteLength, 11), 124, 'latin1')
  header.fill(0x20, 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  parts.push(header, data, Buffer.alloc((block - (data.byteLength % block)) % block))
}

function headerOf(name: string, prefix: string, type: string, seconds: number): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100, 'latin1')
  header.write(octal(0o644, 7), 100, 'latin1')
  header.write(octal(0, 7), 108, 'latin1')
  header.write(octal(0, 7), 116, 'latin1')
  header.write(octal(seconds, 11), 136, 'latin1')
  header.write(type, 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, 345, 155, 'latin1')
  return header
}

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, '0')
  if (text.length > digits) throw new LadingError('input.too-large', `${value} does not fit into a tar`)
  return text
}

// Where a name does not fit into ustar's fields, an extended header has it.
function splitName(name: string): { name: string; prefix: string } | undefined {
  // oxlint-disable-next-line no-control-regex -- ASCII is what ustar names are made of
  if (!/^[\0-\x7f]*$/.test(name)) return undefined
  if (name.length <= 100) return { name, prefix: '' }
  const slash = name.indexOf('/', name.length - 101)
  return slash > 0 && slash <= 155 ? { name: name.slice(slash + 1), prefix: name.slice(0, slash) } : undefined
}

// A record begins with its own length in decimal, these digits included.
function pathRecord(name: string): Uint8Array {
  const body = ` path=${name}\n`
  const bytes = Buffer.byteLength(body)
  const guess = bytes + String(bytes).length
  return Buffer.from(`${bytes + String(guess).length}${body}`)
}

import { LadingError } from '../../../core/index.ts'

/** One entry of a tar archive; the content is a view into the archive. */
export interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly data: Uint8Array
}

const block = 512

/** Reads a tar archive in memory (ustar, pax and GNU long names), entry by entry. */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  let at = 0
  let over: PaxFields = {}
  while (at + block <= archive.length) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return
    checkSum(header)
    const size = over.size ?? numberAt(header, 124, 12)
    const start = at + block
    if (start + size > archive.length) throw damaged('an entry is longer than the archive')
    const data = archive.subarray(start, start + size)
    at = start + Math.ceil(size / block) * block
    const type = String.fromCharCode(header[156]!)
    if (type === 'x') over = { ...over, ...readPax(data) }
    else if (type === 'L') over = { ...over, path: textOf(data) }
    else if (type !== 'g' && type !== 'K') {
      yield { name: over.path ?? nameOf(header), kind: kindOf(type, over.path ?? nameOf(header)), data }
      over = {}
    }
  }
}

interface PaxFields {
  readonly path?: string
  readonly size?: number
}

function kindOf(type: string, name: string): TarEntry['kind'] {
  switch (type) {
    case '0':
    case '\0':
    case '7':
      return name.endsWith('/') ? 'folder' : 'file'
    case '5':
      return 'folder'
    case '1':
    case '2':
      return 'link'
    default:
      return 'other'
  }
}

function nameOf(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100))
  const isUstar = textOf(header.subarray(257, 262)) === 'ustar'
  // GNU's own format keeps times where ustar keeps the prefix; it ends its magic with two spaces.
  const prefix = isUstar && header[263] !== 0x20 ? textOf(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function numberAt(header: Uint8Array, from: number, length: number): number {
  const bytes = header.subarray(from, from + length)
  if ((bytes[0]! & 0x80) !== 0) {
    let value = bytes[0]! & 0x7f
    for (const byte of bytes.subarray(1)) value = value * 256 + byte
    return checkedSize(value)
  }
  const digits = textOf(bytes).trim()
  if (!/^[0-7]*$/.test(digits)) throw damaged('a number of a header is malformed')
  return checkedSize(digits === '' ? 0 : Number.parseInt(digits, 8))
}

function checkedSize(size: number): number {
  if (!Number.isSafeInteger(size)) throw damaged('an entry is longer than the archive')
  return size
}

function checkSum(header: Uint8Array): void {
  let sum = 0
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 0x20 : header[at]!
  if (sum !== numberAt(header, 148, 8)) throw damaged('the checksum of a header is wrong')
}

function readPax(data: Uint8Array): PaxFields {
  const fields: { path?: string; size?: number } = {}
  let at = 0
  while (at < data.length) {
    const space = data.indexOf(0x20, at)
    const length = space < 0 ? Number.NaN : Number(textOf(data.subarray(at, space)))
    if (!Number.isSafeInteger(length) || length <= space - at || at + length > data.length) {
      throw damaged('a pax record is malformed')
    }
    const record = new TextDecoder().decode(data.subarray(space + 1, at + length - 1))
    const equals = record.indexOf('=')
    const key = record.slice(0, equals)
    if (key === 'path') fields.path = record.slice(equals + 1)
    if (key === 'size') fields.size = checkedSize(Number(record.slice(equals + 1)))
    at += length
  }
  return fields
}

function damaged(problem: string): LadingError {
  return new LadingError('archive.invalid', `the chart archive is damaged: ${problem}`)
}

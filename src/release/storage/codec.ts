import {
  constants,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
  type ZstdOptions,
  type ZlibOptions,
} from 'node:zlib'
import { isLadingError, parseJson, stringifyJson } from '../../core/index.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { fromStored, toStored } from './record-json.ts'
import { unreadableError } from './store-error.ts'

/** How a record is compressed. */
export type Compression = 'zstd' | 'gzip' | 'none'

/** Writes a record as the stored formats keep it: base64 of its compressed JSON. */
export function encodeRecord(record: ReleaseRecord, compression: Compression = 'zstd'): string {
  return encodeText(stringifyJson(toStored(record)), compression)
}

/** Reads what `encodeRecord` or Sherpack wrote; `where` names the place in errors. */
export function decodeRecord(text: string, where: string): ReleaseRecord {
  return recordOf(decodeText(text, where), where)
}

/** Reads a record from its JSON. */
export function recordOf(json: string, where: string): ReleaseRecord {
  return fromStored(parseStored(json, where), where)
}

/** Parses the JSON of a record, without giving any of it away where it is damaged. */
export function parseStored(json: string, where: string): unknown {
  try {
    return parseJson(json)
  } catch (error) {
    if (isLadingError(error)) throw unreadableError(where, error.message, error)
    // The parser's message quotes the text, which may hold a secret.
    throw unreadableError(where, 'it is not JSON')
  }
}

/** Writes any text as base64 of its compressed bytes. */
export function encodeText(text: string, compression: Compression): string {
  return compress(Buffer.from(text, 'utf8'), compression).toString('base64')
}

/** Reads what `encodeText` wrote. */
export function decodeText(text: string, where: string): string {
  const clean = text.trim()
  const bytes = Buffer.from(clean, 'base64')
  // What is no base64 is passed over in silence; megabytes are counted faster than a pattern is tried on them.
  const digits = clean.length - (clean.endsWith('==') ? 2 : clean.endsWith('=') ? 1 : 0)
  if (clean === '' || bytes.length !== Math.floor((digits * 3) / 4)) throw unreadableError(where, 'it is not base64')
  return decompress(bytes, where).toString('utf8')
}

/** Decompresses within bounds; the first bytes tell how, whatever a label says. */
export function decompress(bytes: Buffer, where: string): Buffer {
  const maxOutputLength = Math.min(hardLimit, Math.max(freeSize, bytes.length * largestRatio))
  try {
    if (bytes.length >= 4 && bytes.readUInt32LE(0) === zstdMagic) return zstdDecompressSync(bytes, { maxOutputLength })
    if (bytes.length >= 2 && bytes.readUInt16LE(0) === gzipMagic) return gunzipSync(bytes, { maxOutputLength })
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw unreadableError(where, tooLarge ? `it unpacks to more than ${maxOutputLength} bytes` : 'it is damaged', error)
  }
  if (bytes.length > hardLimit) throw unreadableError(where, `it holds more than ${hardLimit} bytes`)
  return bytes
}

function compress(bytes: Buffer, compression: Compression): Buffer {
  switch (compression) {
    case 'zstd':
      return zstdCompressSync(bytes, zstdLevel)
    case 'gzip':
      return gzipSync(bytes, bestGzip)
    case 'none':
      return bytes
  }
}

const zstdMagic = 0xfd2fb528
const gzipMagic = 0x8b1f
// Manifests repeat themselves, so small ones may grow by any factor; a bomb must not.
const freeSize = 64 * 1024 * 1024
const largestRatio = 100
const hardLimit = 256 * 1024 * 1024
const zstdLevel: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
const bestGzip: ZlibOptions = { level: 9 }

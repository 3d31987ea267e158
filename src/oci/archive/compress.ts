import { promisify } from 'node:util'
import { gzip as zlibGzip } from 'node:zlib'

const compress = promisify(zlibGzip)
const osByte = 9
const osUnknown = 255

/**
 * Compresses to gzip. The same input gives the same bytes on every platform: no time, no name, a fixed level, and the byte that
 * tells the operating system (RFC 1952, section 2.3.1) says "unknown", as Go writes it.
 */
export async function gzip(content: Uint8Array): Promise<Uint8Array> {
  const packed = await compress(content, { level: 6, memLevel: 8, windowBits: 15 })
  packed[osByte] = osUnknown
  return packed
}

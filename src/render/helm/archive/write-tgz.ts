import { gzipSync } from 'node:zlib'
import { writeTar } from '../../../core/tar/index.ts'

const osByte = 9
const osUnknown = 255

/** Writes files as a .tgz that depends on nothing but them and the time given: their order, no owners, mode 0644. */
export function writeTgz(files: ReadonlyMap<string, Uint8Array>, modified: Date): Uint8Array {
  const seconds = Math.max(0, Math.floor(modified.getTime() / 1000))
  const tar = writeTar(
    [...files].map(([name, content]) => [name, { content }] as const),
    seconds,
  )
  const packed = gzipSync(tar, { level: 9 })
  // Which system it was packed on is nobody's business (RFC 1952, section 2.3.1).
  packed[osByte] = osUnknown
  return packed
}

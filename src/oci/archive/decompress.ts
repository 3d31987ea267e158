import { crc32, inflateRaw, zstdDecompress } from 'node:zlib'
import { LadingError } from '../../core/index.ts'
import type { ArchiveLimits } from './limits.ts'

/** Whether content begins as gzip does. */
export function isGzip(content: Uint8Array): boolean {
  return content[0] === 0x1f && content[1] === 0x8b
}

/** Whether content begins as a Zstandard frame does. */
export function isZstd(content: Uint8Array): boolean {
  return content[0] === 0x28 && content[1] === 0xb5 && content[2] === 0x2f && content[3] === 0xfd
}

const freeBytes = 16 * 1024 * 1024

/** Decompresses gzip or Zstandard, known by their first bytes; other content is given as it is. It stops at the limit. */
export async function decompress(packed: Uint8Array, limits: ArchiveLimits): Promise<Uint8Array> {
  if (packed.byteLength > limits.packedBytes) throw tooLarge(`${packed.byteLength} bytes`, limits.packedBytes)
  const allowed = Math.min(limits.totalBytes, Math.max(freeBytes, packed.byteLength * limits.ratio))
  const content = isGzip(packed)
    ? await readMembers(packed, allowed, gunzipMember)
    : isZstd(packed)
      ? await readMembers(packed, allowed, unzstdFrame)
      : packed
  if (content.byteLength > allowed) throw tooLarge('more', allowed)
  return content
}

/** One member of compressed content and where the next one begins. */
interface Member {
  readonly content: Uint8Array
  readonly end: number
}

type ReadMember = (packed: Uint8Array, at: number, allowed: number) => Promise<Member>

// Node's own readers pass over what follows the first member or frame; here every byte must be accounted for.
async function readMembers(packed: Uint8Array, allowed: number, read: ReadMember): Promise<Uint8Array> {
  const contents: Uint8Array[] = []
  let total = 0
  for (let at = 0; at < packed.byteLength;) {
    const { content, end } = await read(packed, at, allowed - total)
    contents.push(content)
    total += content.byteLength
    at = end
  }
  return contents.length === 1 ? (contents[0] as Uint8Array) : Buffer.concat(contents)
}

async function gunzipMember(packed: Uint8Array, at: number, allowed: number): Promise<Member> {
  const start = skipHeader(packed, at)
  const { buffer, engine } = await inflate(inflateRaw, packed.subarray(start), allowed)
  const end = start + engine.bytesWritten
  checkTrailer(packed, end, buffer)
  return { content: buffer, end: end + trailerBytes }
}

async function unzstdFrame(packed: Uint8Array, at: number, allowed: number): Promise<Member> {
  const rest = packed.subarray(at)
  if (!isZstd(rest)) throw new LadingError('archive.invalid', 'garbage follows the Zstandard data')
  const { buffer, engine } = await inflate(zstdDecompress, rest, allowed)
  return { content: buffer, end: at + engine.bytesWritten }
}

interface Inflated {
  readonly buffer: Buffer
  /** Its `bytesWritten` are the bytes that it consumed. */
  readonly engine: { readonly bytesWritten: number }
}

type Inflate = (
  packed: Uint8Array,
  options: { maxOutputLength: number; info: true },
  done: (error: Error | null, result: unknown) => void,
) => void

function inflate(read: Inflate, packed: Uint8Array, allowed: number): Promise<Inflated> {
  return new Promise((resolve, reject) => {
    // Node wants room for a byte at least.
    read(packed, { maxOutputLength: Math.max(1, allowed), info: true }, (error, result) => {
      if (error === null) resolve(result as Inflated)
      else reject(inflateError(error, allowed))
    })
  })
}

function inflateError(error: NodeJS.ErrnoException, allowed: number): LadingError {
  if (error.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge('more', allowed)
  const message = `the compressed data is damaged or ends too early (${error.code ?? 'unknown'})`
  return new LadingError('archive.invalid', message, {}, { cause: error })
}

const headerBytes = 10
const trailerBytes = 8

// RFC 1952, section 2.3: the fixed part, then what the flags announce.
function skipHeader(packed: Uint8Array, at: number): number {
  const flags = packed[at + 3] ?? 0
  if (!isGzip(packed.subarray(at)) || packed[at + 2] !== 8 || (flags & 0xe0) !== 0) {
    throw new LadingError('archive.invalid', at === 0 ? 'the gzip header is damaged' : 'garbage follows the gzip data')
  }
  let next = at + headerBytes
  if ((flags & 0x04) !== 0) next += 2 + (packed[next] ?? 0) + (packed[next + 1] ?? 0) * 256
  for (const textFlag of [0x08, 0x10]) {
    if ((flags & textFlag) === 0) continue
    const end = packed.indexOf(0, next)
    if (end < 0) throw new LadingError('archive.invalid', 'the gzip header is damaged')
    next = end + 1
  }
  return (flags & 0x02) === 0 ? next : next + 2
}

function checkTrailer(packed: Uint8Array, at: number, content: Uint8Array): void {
  if (packed.byteLength < at + trailerBytes) throw new LadingError('archive.invalid', 'the gzip data ends too early')
  const view = new DataView(packed.buffer, packed.byteOffset + at, trailerBytes)
  if (view.getUint32(0, true) !== crc32(content) || view.getUint32(4, true) !== content.byteLength % 2 ** 32) {
    throw new LadingError('archive.invalid', 'the gzip data is damaged: its checksum does not fit')
  }
}

function tooLarge(has: string, limit: number): LadingError {
  return new LadingError('input.too-large', `the archive has ${has} where ${limit} bytes are allowed`, { limit })
}

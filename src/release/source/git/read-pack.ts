import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { LadingError } from '../../../core/index.ts'
import type { GitObject, GitObjectType } from './git-object.ts'
import { type PackEntry, resolveDeltas } from './resolve-deltas.ts'

/** What a pack may cost. */
export interface PackLimits {
  /** The most bytes of the pack as it is sent (default: 256 MiB). */
  readonly maxPackBytes?: number
  readonly maxObjects?: number
  readonly maxObjectBytes?: number
  /** The most bytes of all objects together. */
  readonly maxBytes?: number
  /** How many deltas may stand on each other; git itself writes at most 4,095. */
  readonly maxDeltaDepth?: number
}

const defaults = {
  maxPackBytes: 256 * 1024 * 1024,
  maxObjects: 500_000,
  maxObjectBytes: 64 * 1024 * 1024,
  maxBytes: 1024 ** 3,
  maxDeltaDepth: 4096,
}

/** The largest pack that is fetched by default. */
export const defaultPackBytes = defaults.maxPackBytes

const types: Readonly<Record<number, GitObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const offsetDelta = 6
const namedDelta = 7

/** Reads a pack (version 2) and gives its objects by their ids, which are computed here: an object that is found by its id is that object. */
export function readPack(data: Uint8Array, given: PackLimits = {}): Map<string, GitObject> {
  const limits = { ...defaults, ...given }
  const pack = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const count = checkFrame(pack, limits)
  const entries = readEntries(pack, count, limits)
  return resolveDeltas(entries, limits)
}

function checkFrame(pack: Buffer, { maxObjects, maxPackBytes }: Required<PackLimits>): number {
  if (pack.length > maxPackBytes) throw tooLarge('the pack', maxPackBytes)
  if (pack.length < 32 || pack.toString('latin1', 0, 4) !== 'PACK') throw damaged('it is no pack')
  const version = pack.readUInt32BE(4)
  if (version !== 2) throw damaged(`it has version ${version}`)
  const end = pack.length - 20
  const sum = createHash('sha1').update(pack.subarray(0, end)).digest()
  if (!sum.equals(pack.subarray(end))) throw damaged('its checksum is wrong')
  const count = pack.readUInt32BE(8)
  if (count > maxObjects) {
    throw new LadingError('input.too-large', `the repository has ${count} objects, the limit is ${maxObjects}`, {
      count,
    })
  }
  return count
}

function readEntries(pack: Buffer, count: number, limits: Required<PackLimits>): PackEntry[] {
  const { maxBytes, maxObjectBytes } = limits
  const end = pack.length - 20
  let left = maxBytes
  const entries: PackEntry[] = []
  const reader = { at: 12 }
  for (let index = 0; index < count; index++) {
    const offset = reader.at
    const { type, size } = readHead(pack, reader, end)
    const base = readBase(pack, reader, type, offset)
    if (size > maxObjectBytes) throw tooLarge('an object of the repository', maxObjectBytes)
    left -= size
    if (left < 0) throw tooLarge('the repository', maxBytes)
    const data = inflate(pack.subarray(reader.at, end), size, reader)
    entries.push(base === undefined ? { offset, type: types[type]!, data } : { offset, base, data })
  }
  if (reader.at !== end) throw damaged('something follows its last object')
  return entries
}

function readHead(pack: Buffer, reader: { at: number }, end: number): { type: number; size: number } {
  let byte = next(pack, reader, end)
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let factor = 16; (byte & 0x80) !== 0; factor *= 128) {
    if (factor > 2 ** 46) throw damaged('the size of an object has no end')
    byte = next(pack, reader, end)
    size += (byte & 0x7f) * factor
  }
  return { type, size }
}

function readBase(pack: Buffer, reader: { at: number }, type: number, offset: number): number | string | undefined {
  if (types[type] !== undefined) return undefined
  const end = pack.length - 20
  if (type === namedDelta) {
    if (reader.at + 20 > end) throw damaged('it is cut off')
    const id = pack.toString('hex', reader.at, reader.at + 20)
    reader.at += 20
    return id
  }
  if (type !== offsetDelta) throw damaged(`an object has the unknown type ${type}`)
  let byte = next(pack, reader, end)
  let back = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = next(pack, reader, end)
    back = (back + 1) * 128 + (byte & 0x7f)
    if (back > offset) throw damaged('a delta has its base before the pack')
  }
  if (back === 0 || back > offset) throw damaged('a delta has no base')
  return offset - back
}

function next(pack: Buffer, reader: { at: number }, end: number): number {
  if (reader.at >= end) throw damaged('it is cut off')
  return pack[reader.at++]!
}

function inflate(rest: Buffer, size: number, reader: { at: number }): Buffer {
  try {
    // With `info`, Node says how much of the input belonged to the object, which the pack does not.
    const { buffer, engine } = inflateSync(rest, { info: true, maxOutputLength: Math.max(size, 1) }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (buffer.length !== size) throw damaged('an object is not as long as it says')
    reader.at += engine.bytesWritten
    return buffer
  } catch (error) {
    if (error instanceof LadingError) throw error
    throw new LadingError(
      'git.failed',
      'the server sent a damaged pack: an object cannot be unpacked',
      {},
      { cause: error },
    )
  }
}

function tooLarge(what: string, limit: number): LadingError {
  return new LadingError('input.too-large', `${what} has more than the ${limit} bytes that are allowed`, { limit })
}

function damaged(problem: string): LadingError {
  return new LadingError('git.failed', `the server sent a damaged pack: ${problem}`)
}

import { LadingError } from '../../../core/index.ts'

/** Makes an object from its base and a delta (gitformat-pack, "Deltified representation"); every copy is checked against both sizes. */
export function applyDelta(base: Uint8Array, delta: Uint8Array, maxBytes: number): Buffer {
  const reader = { at: 0 }
  if (readSize(delta, reader) !== base.length) throw damaged('a delta is not meant for its base')
  const size = readSize(delta, reader)
  if (size > maxBytes) {
    throw new LadingError('input.too-large', `an object of the repository has more than ${maxBytes} bytes`, {
      maxBytes,
    })
  }
  const result = Buffer.alloc(size)
  let filled = 0
  while (reader.at < delta.length) {
    const code = delta[reader.at++]!
    if (code === 0) throw damaged('a delta holds an unknown instruction')
    const isCopy = (code & 0x80) !== 0
    const start = isCopy ? readBits(delta, reader, code, 0, 4) : reader.at
    const length = isCopy ? readBits(delta, reader, code, 4, 3) || 0x10000 : code
    const from = isCopy ? base : delta
    if (start + length > from.length || filled + length > size) throw damaged('a delta leads out of its object')
    result.set(from.subarray(start, start + length), filled)
    filled += length
    if (!isCopy) reader.at += length
  }
  if (filled !== size) throw damaged('a delta is too short')
  return result
}

function readSize(delta: Uint8Array, reader: { at: number }): number {
  let size = 0
  for (let factor = 1; factor < 2 ** 50; factor *= 128) {
    const byte = delta[reader.at++]
    if (byte === undefined) break
    size += (byte & 0x7f) * factor
    if ((byte & 0x80) === 0) return size
  }
  throw damaged('a size has no end')
}

// Each set bit of the instruction says that a byte of the number follows.
function readBits(delta: Uint8Array, reader: { at: number }, code: number, first: number, count: number): number {
  let value = 0
  for (let index = 0; index < count; index++) {
    if ((code & (1 << (first + index))) === 0) continue
    const byte = delta[reader.at++]
    if (byte === undefined) throw damaged('a delta is cut off')
    value += byte * 256 ** index
  }
  return value
}

function damaged(problem: string): LadingError {
  return new LadingError('git.failed', `the server sent a damaged pack: ${problem}`)
}

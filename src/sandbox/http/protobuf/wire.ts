import { badRequest } from '../../status-error.ts'

/** One field of an encoded message. */
export interface WireField {
  readonly number: number
  /** The bytes of a length-delimited field, or an integer; 64-bit fields that are no integers are bytes too. */
  readonly value: Uint8Array | bigint
}

/** Walks over the fields of an encoded message. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  const reader = { bytes, at: 0 }
  while (reader.at < bytes.length) {
    const tag = Number(readVarint(reader))
    const number = Math.floor(tag / 8)
    switch (tag % 8) {
      case 0:
        yield { number, value: readVarint(reader) }
        break
      case 1:
        yield { number, value: take(reader, 8) }
        break
      case 2:
        yield { number, value: take(reader, Number(readVarint(reader))) }
        break
      case 5:
        yield { number, value: take(reader, 4) }
        break
      default:
        throw malformed(`wire type ${tag % 8}`)
    }
  }
}

/** The integers of a packed repeated field. */
export function* packedVarints(bytes: Uint8Array): Generator<bigint> {
  const reader = { bytes, at: 0 }
  while (reader.at < bytes.length) yield readVarint(reader)
}

/** 400: the bytes are not what their content type says. */
export function malformed(what: string): Error {
  return badRequest(`error decoding protobuf: ${what}`)
}

interface Reader {
  readonly bytes: Uint8Array
  at: number
}

function readVarint(reader: Reader): bigint {
  let low = 0
  let value = 0n
  for (let index = 0; index < 10; index++) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined) throw malformed('unexpected end')
    // Nearly all are short: four bytes fit a plain number.
    if (index < 4) low += (byte & 0x7f) * 2 ** (7 * index)
    else value += BigInt(byte & 0x7f) << BigInt(7 * index)
    if (byte < 0x80) return value + BigInt(low)
  }
  throw malformed('an integer of more than ten bytes')
}

function take(reader: Reader, length: number): Uint8Array {
  const end = reader.at + length
  if (end > reader.bytes.length) throw malformed('unexpected end')
  const taken = reader.bytes.subarray(reader.at, end)
  reader.at = end
  return taken
}

/** One DER element (X.690): a tag, the length and the content. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([Buffer.of(tag), lengthOf(body.length), body])
}

/** A SEQUENCE. */
export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return element(0x30, ...contents)
}

/** A SET of one element. */
export function set(content: Uint8Array): Buffer {
  return element(0x31, content)
}

/** The BOOLEAN true. */
export const derTrue: Buffer = element(0x01, Buffer.of(0xff))

/** A UTF8String. */
export function utf8(text: string): Buffer {
  return element(0x0c, Buffer.from(text))
}

/** An INTEGER, not negative. */
export function integer(value: bigint): Buffer {
  return element(0x02, integerBytes(value))
}

/** An OBJECT IDENTIFIER. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** An OCTET STRING. */
export function octets(bytes: Uint8Array): Buffer {
  return element(0x04, bytes)
}

/** A BIT STRING; the last `unused` bits do not count. */
export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.of(unused), bytes)
}

/** A UTCTime until 2049, a GeneralizedTime from 2050 on. */
export function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  const year = date.getUTCFullYear()
  return year >= 1950 && year < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text))
}

/** Reads consecutive elements. */
export function readElements(bytes: Uint8Array): { tag: number; content: Buffer; whole: Buffer }[] {
  const buffer = Buffer.from(bytes)
  const elements: { tag: number; content: Buffer; whole: Buffer }[] = []
  for (let at = 0; at < buffer.length;) {
    const first = buffer[at + 1] ?? 0
    const size = first < 0x80 ? 0 : first & 0x7f
    const length = size === 0 ? first : buffer.readUIntBE(at + 2, size)
    const start = at + 2 + size
    elements.push({
      tag: buffer[at]!,
      content: buffer.subarray(start, start + length),
      whole: buffer.subarray(at, start + length),
    })
    at = start + length
  }
  return elements
}

/** Reads the content of an INTEGER that is not negative. */
export function readInteger(content: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(content).toString('hex') || '0'}`)
}

/** A number as big-endian bytes, padded to a length. */
export function unsignedBytes(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')
}

/** PEM of DER, in lines of 64 characters. */
export function pem(type: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${type}-----\n${lines.map((line) => `${line}\n`).join('')}-----END ${type}-----\n`
}

function integerBytes(value: bigint): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes = unsignedBytes(BigInt(length), Math.ceil(length.toString(16).length / 2))
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes])
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

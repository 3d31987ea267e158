/** Just enough of DER (X.690) to write a certificate. */
export type Der = Buffer

/** One element: a tag, the length and the content. */
export function element(tag: number, ...content: readonly Buffer[]): Der {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

/** SEQUENCE of elements. */
export function sequence(...items: readonly Der[]): Der {
  return element(0x30, ...items)
}

/** SET of one element. */
export function setOf(item: Der): Der {
  return element(0x31, item)
}

/** A positive INTEGER out of its bytes. */
export function integer(bytes: Buffer): Der {
  const first = bytes[0] ?? 0
  // A leading one bit would make it negative.
  return element(0x02, first >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** OBJECT IDENTIFIER, written with dots. */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** BIT STRING whose bits fill whole bytes, but for `unused` at the end. */
export function bitString(bytes: Buffer, unused = 0): Der {
  return element(0x03, Buffer.from([unused]), bytes)
}

/** OCTET STRING. */
export function octetString(...content: readonly Buffer[]): Der {
  return element(0x04, ...content)
}

/** UTF8String. */
export function utf8(text: string): Der {
  return element(0x0c, Buffer.from(text))
}

/** BOOLEAN true. */
export const derTrue: Der = element(0x01, Buffer.from([0xff]))

/** UTCTime, which certificates use up to the year 2049. */
export function utcTime(ms: number): Der {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)
  return element(0x17, Buffer.from(`${digits}Z`))
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  if (length < 0x100) return Buffer.from([0x81, length])
  return Buffer.from([0x82, length >> 8, length & 0xff])
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

const escapes = /[\uDC80-\uDCFF]/

/** The bytes of a text, with escaped bytes (U+DC80 to U+DCFF) as themselves. */
export function toBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts: Uint8Array[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (!isEscapedByte(text, index)) continue
    parts.push(Buffer.from(text.slice(start, index), 'utf8'), Uint8Array.of(text.charCodeAt(index) - 0xdc00))
    start = index + 1
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'))
  return Buffer.concat(parts)
}

/** The text of some bytes; each byte that is not UTF-8 becomes a lone surrogate. */
export function fromBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  // A replacement character may also be a real one: only then is each sequence looked at.
  return text.includes('\uFFFD') ? decodeExactly(bytes) : text
}

/** Joins bytes that two texts brought apart, such as the halves of a character, to what they are together. */
export function rejoin(text: string): string {
  return text.isWellFormed() || !escapes.test(text) ? text : fromBytes(toBytes(text))
}

/** Length in bytes, as Go counts it. */
export function byteLength(text: string): number {
  return text.isWellFormed() ? Buffer.byteLength(text, 'utf8') : toBytes(text).length
}

/** Orders two texts by their bytes, as Go does; UTF-16 alone would put emoji before U+E000. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    if (left < 0xd800 && right < 0xd800) return left - right
    return Buffer.compare(toBytes(a.slice(start(a, index))), toBytes(b.slice(start(b, index))))
  }
  return a.length - b.length
}

/** The code points of a text, with escaped bytes as Go's decoder reads them: U+FFFD, one byte wide. */
export function* runes(text: string): Generator<{ rune: number; text: string; isByte: boolean }> {
  for (const char of text) {
    const rune = char.codePointAt(0) ?? 0
    const isByte = rune >= 0xdc80 && rune <= 0xdcff
    yield { rune: isByte ? 0xfffd : rune, text: char, isByte }
  }
}

function start(text: string, index: number): number {
  return index > 0 && isLow(text.charCodeAt(index)) ? index - 1 : index
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isEscapedByte(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < 0xdc80 || unit > 0xdcff) return false
  const before = index === 0 ? 0 : text.charCodeAt(index - 1)
  return before < 0xd800 || before > 0xdbff
}

function decodeExactly(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  for (let index = 0; index < bytes.length;) {
    const width = sequenceWidth(bytes[index] ?? 0)
    const char = width === 0 ? undefined : tryDecode(strict, bytes.subarray(index, index + width), width)
    parts.push(char ?? String.fromCharCode(0xdc00 + (bytes[index] ?? 0)))
    index += char === undefined ? 1 : width
  }
  return parts.join('')
}

function tryDecode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, width: number): string | undefined {
  if (bytes.length < width) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function sequenceWidth(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc2) return 0
  if (first < 0xe0) return 2
  if (first < 0xf0) return 3
  return first < 0xf5 ? 4 : 0
}

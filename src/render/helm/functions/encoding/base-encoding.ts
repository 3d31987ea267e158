/** Decoded bytes, or what Go says is wrong. */
export interface BaseDecoding {
  readonly bytes: Uint8Array
  readonly problem?: string
}

const alphabet64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const padding = 0x3d
const isBreak = (byte: number | undefined) => byte === 0x0a || byte === 0x0d

/** Go's `base64.StdEncoding.DecodeString`: line breaks are skipped, padding is needed, nothing else may stand there. */
export function decodeBase64(input: Uint8Array): BaseDecoding {
  const output: number[] = []
  const problem = (at: number): BaseDecoding => ({
    bytes: Buffer.from(output),
    problem: `illegal base64 data at input byte ${at}`,
  })
  let at = 0
  while (at < input.length) {
    const values: number[] = []
    while (values.length < 4) {
      if (at >= input.length) return values.length === 0 ? { bytes: Buffer.from(output) } : problem(at - values.length)
      const byte = input[at++]
      if (isBreak(byte)) continue
      const value = alphabet64.indexOf(String.fromCharCode(byte!))
      if (value >= 0) {
        values.push(value)
        continue
      }
      if (byte !== padding || values.length < 2) return problem(at - 1)
      return finish64(input, at, values, output)
    }
    const group = values.reduce((sum, value) => sum * 64 + value, 0)
    output.push(group >> 16, (group >> 8) & 0xff, group & 0xff)
  }
  return { bytes: Buffer.from(output) }
}

function finish64(input: Uint8Array, start: number, values: readonly number[], output: number[]): BaseDecoding {
  let at = start
  const problem = (place: number): BaseDecoding => ({
    bytes: Buffer.from(output),
    problem: `illegal base64 data at input byte ${place}`,
  })
  if (values.length === 2) {
    while (isBreak(input[at])) at++
    if (at >= input.length) return problem(input.length)
    if (input[at] !== padding) return problem(at - 1)
    at++
  }
  while (isBreak(input[at])) at++
  if (at < input.length) return problem(at)
  const [a = 0, b = 0, c = 0] = values
  output.push((a << 2) | (b >> 4))
  if (values.length === 3) output.push(((b & 15) << 4) | (c >> 2))
  return { bytes: Buffer.from(output) }
}

/** Go's `base32.StdEncoding.EncodeToString`. */
export function encodeBase32(bytes: Uint8Array): string {
  let [output, bits, count] = ['', 0, 0]
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (count += 8; count >= 5; count -= 5) output += alphabet32[(bits >> (count - 5)) & 31]
    bits &= 0xff
  }
  if (count > 0) output += alphabet32[(bits << (5 - count)) & 31]
  return output.padEnd(Math.ceil(output.length / 8) * 8, '=')
}

/** Go's `base32.StdEncoding.DecodeString`. */
export function decodeBase32(given: Uint8Array): BaseDecoding {
  const input = given.filter((byte) => !isBreak(byte))
  const output: number[] = []
  const problem = (at: number): BaseDecoding => ({
    bytes: Buffer.from(output),
    problem: `illegal base32 data at input byte ${at}`,
  })
  for (let group = 0; group < input.length; group += 8) {
    const values: number[] = []
    for (let index = 0; index < 8; index++) {
      const at = group + index
      const byte = input[at]
      if (byte === undefined) return problem(at - index)
      if (byte === padding && index >= 2 && input.length - at <= 8) {
        // Padding runs to the end of the group, and is as long as the rest of the bytes asks for.
        if (input.length - at < 8 - index) return problem(input.length)
        for (let rest = at; rest < group + 8; rest++) if (input[rest] !== padding) return problem(rest - 1)
        if ([1, 3, 6].includes(index)) return problem(at - 1)
        output.push(...bytesOfGroup(values))
        return group + 8 < input.length ? problem(group + 8) : { bytes: Buffer.from(output) }
      }
      const value = alphabet32.indexOf(String.fromCharCode(byte))
      if (value < 0) return problem(at)
      values.push(value)
    }
    output.push(...bytesOfGroup(values))
  }
  return { bytes: Buffer.from(output) }
}

function bytesOfGroup(values: readonly number[]): number[] {
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

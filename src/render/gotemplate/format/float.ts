/** Verbs of Go's `strconv.FormatFloat`. */
export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X'

/** A float64 as Go's `strconv.FormatFloat` writes it; precision -1 asks for the shortest that reads back the same. */
export function formatFloat(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (verb === 'b') return sign + binaryExponent(size)
  if (verb === 'x' || verb === 'X') return sign + hexadecimal(size, verb, precision)
  return sign + decimal(size, verb, precision)
}

/** Decimal digits of a number, and where its point stands: 0.digits × 10^point. */
interface Digits {
  readonly digits: string
  readonly point: number
}

function decimal(size: number, verb: 'e' | 'E' | 'f' | 'g' | 'G', precision: number): string {
  const isShortest = precision < 0
  if (verb === 'f') {
    const digits = isShortest ? shortest(size) : exact(size, (point) => point + precision)
    return fixed(digits, isShortest ? Math.max(digits.digits.length - digits.point, 0) : precision)
  }
  if (verb === 'e' || verb === 'E') {
    const digits = isShortest ? shortest(size) : exact(size, () => precision + 1)
    return scientific(digits, isShortest ? digits.digits.length - 1 : precision, verb)
  }
  const wanted = precision === 0 ? 1 : precision
  const digits = isShortest ? shortest(size) : exact(size, () => wanted)
  const trimmed = { digits: digits.digits.replace(/0+$/, ''), point: digits.point }
  return general(trimmed, isShortest ? -1 : wanted, verb)
}

function general({ digits, point }: Digits, precision: number, verb: 'g' | 'G'): string {
  const exponent = point - 1
  let bound = precision > digits.length && digits.length >= point ? digits.length : precision
  // The shortest form turns to an exponent where precision 6 would: 1000000 is 1e+06.
  if (precision < 0) bound = 6
  if (exponent < -4 || exponent >= bound) {
    return scientific({ digits, point }, Math.max(digits.length - 1, 0), verb === 'g' ? 'e' : 'E')
  }
  return fixed({ digits, point }, Math.max(digits.length - point, 0))
}

function fixed({ digits, point }: Digits, decimals: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (decimals <= 0) return whole
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, decimals)) + digits
  return `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`
}

function scientific({ digits, point }: Digits, decimals: number, letter: 'e' | 'E'): string {
  const exponent = digits === '' ? 0 : point - 1
  const first = digits[0] ?? '0'
  const rest = decimals > 0 ? `.${digits.slice(1, decimals + 1).padEnd(decimals, '0')}` : ''
  const power = String(Math.abs(exponent)).padStart(2, '0')
  return `${first}${rest}${letter}${exponent < 0 ? '-' : '+'}${power}`
}

// JavaScript prints the same shortest digits as Go.
function shortest(size: number): Digits {
  if (size === 0) return { digits: '', point: 0 }
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e')
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

// All digits of the binary fraction, then rounded half to even; toFixed rounds ties up and knows 100 digits only.
function exact(size: number, wanted: (point: number) => number): Digits {
  if (size === 0) return { digits: '', point: 0 }
  const { mantissa, exponent } = parts(size)
  const all =
    exponent >= 0 ? (mantissa << BigInt(exponent)).toString() : (mantissa * 5n ** BigInt(-exponent)).toString()
  const point = all.length + Math.min(exponent, 0)
  return roundDigits(all, point, wanted(point))
}

function roundDigits(all: string, point: number, count: number): Digits {
  if (count >= all.length) return { digits: all, point }
  if (count < 0) return { digits: '', point }
  const kept = all.slice(0, count)
  const rest = all.slice(count)
  const half = '5'.padEnd(rest.length, '0')
  const isOdd = count > 0 && (kept.charCodeAt(count - 1) & 1) === 1
  if (rest < half || (rest === half && !isOdd)) return { digits: kept, point }
  const up = (BigInt(kept === '' ? '0' : kept) + 1n).toString().padStart(count, '0')
  return up.length > count ? { digits: up, point: point + 1 } : { digits: up, point }
}

// value = mantissa × 2^exponent, with the mantissa as the machine holds it.
function parts(size: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, size)
  const bits = view.getBigUint64(0)
  const raw = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  return raw === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: raw - 1075 }
}

function binaryExponent(size: number): string {
  const { mantissa, exponent } = parts(size)
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`
}

function hexadecimal(size: number, verb: 'x' | 'X', precision: number): string {
  let { mantissa, exponent } = size === 0 ? { mantissa: 0n, exponent: -52 } : parts(size)
  while (mantissa !== 0n && mantissa < 1n << 52n) {
    mantissa <<= 1n
    exponent--
  }
  let digits = 13
  if (precision >= 0 && precision < 13) {
    const drop = BigInt((13 - precision) * 4)
    const half = 1n << (drop - 1n)
    const rest = mantissa & ((1n << drop) - 1n)
    mantissa >>= drop
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++
    digits = precision
    exponent += Number(drop)
    if (mantissa >= 1n << BigInt(digits * 4 + 1)) {
      mantissa >>= 1n
      exponent++
    }
  }
  const text = mantissa.toString(16).padStart(digits + 1, '0')
  let fraction = text.slice(1)
  fraction = precision < 0 ? fraction.replace(/0+$/, '') : fraction.padEnd(precision, '0')
  const power = size === 0 ? 0 : exponent + digits * 4
  const suffix = `p${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  const whole = `0x${text[0] ?? '0'}${fraction === '' ? '' : `.${fraction}`}${suffix}`
  return verb === 'X' ? whole.toUpperCase() : whole
}

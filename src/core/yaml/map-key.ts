import { isWrittenAsInteger } from './number-shape.ts'

/** The string that sigs.k8s.io/yaml makes of a scalar key, `text` as written; undefined for a key that JSON cannot have. */
export function keyOf(value: unknown, text: string): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return Number.isSafeInteger(value) && isWrittenAsInteger(text) ? String(value) : formatFloat32(value)
    default:
      return undefined
  }
}

/** Sets an own property whatever its name: `__proto__` is a key like any other. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    record[key] = value
  }
}

// sigs.k8s.io/yaml writes float keys as Go's FormatFloat(key, 'g', -1, 32): shortest digits for 32 bits, exponent
// from 1e+06 on and below 1e-04, exponents of at least two digits.
function formatFloat32(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  const single = Math.fround(value)
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf'
  if (single === 0) return '0'
  let digits = 0
  while (Math.fround(Number(single.toExponential(digits))) !== single) digits++
  const shortest = single.toExponential(digits)
  const [mantissa, exponent] = shortest.split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(Number(shortest))
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

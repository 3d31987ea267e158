import { LadingError } from '../../../core/index.ts'

/** Writes a number as go-yaml does: integers of 64 bits in full, floats with an exponent from 1e+06 on. */
export function writeNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString()
  if (!Number.isFinite(value)) throw new LadingError('yaml.number', 'JSON has no infinity and no NaN')
  if (Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 64) return BigInt(value).toString()
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  const digits = String(Math.abs(power)).padStart(2, '0')
  return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`
}

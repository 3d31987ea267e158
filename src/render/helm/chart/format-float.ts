/** Go's `FormatFloat(value, 'g', -1, 64)`, which is what an unquoted number in a text field becomes: 1.10 is `1.1`. */
export function formatFloatShort(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value)
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 21) return value.toString()
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

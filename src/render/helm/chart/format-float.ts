/**
 * Go's `FormatFloat(value, 'g', -1, 32)`, which is what an unquoted float in a text field becomes: 1.10 is `1.1`, and 72225e2, a
 * commit, is `7.2225e+06`.
 */
export function formatFloatShort(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [mantissa, exponent] = shortest(Math.fround(value)).split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(Number(`${mantissa}e${power}`))
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** The fewest digits that are the same value of 32 bits. */
function shortest(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits)
    if (Math.fround(Number(text)) === value) return text
  }
  return value.toExponential()
}

const number = /(?<![\w.+-])[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?(?![\w.])/g

/** The whole numbers that a text of YAML writes as floats, which the parsed value does not tell any more. */
export function writtenFloats(text: string): Set<number> {
  const floats = (text.match(number) ?? []).filter((token) => /[.eE]/.test(token))
  return new Set(floats.map((token) => Number(token.replaceAll('_', ''))).filter(Number.isInteger))
}

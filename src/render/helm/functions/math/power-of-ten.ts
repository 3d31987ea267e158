/** Go's `math.Pow(10, places)`, which differs from other libraries' in the last bit for negative places. */
export function powerOfTen(places: number): number {
  if (!Number.isFinite(places)) return 10 ** places
  let [fraction, exponent] = [1, 0]
  let [base, baseExponent] = [10 / 16, 4]
  for (let rest = Math.abs(places); rest >= 1; rest = Math.floor(rest / 2)) {
    if (exponent > 4096 || baseExponent > 4096) return places < 0 ? 0 : Infinity
    if (rest % 2 === 1) [fraction, exponent] = [fraction * base, exponent + baseExponent]
    ;[base, baseExponent] = [base * base, baseExponent * 2]
    if (base < 0.5) [base, baseExponent] = [base * 2, baseExponent - 1]
  }
  if (places < 0) [fraction, exponent] = [1 / fraction, -exponent]
  // In two steps, so that the factor itself stays within range.
  const half = Math.trunc(exponent / 2)
  return fraction * 2 ** half * 2 ** (exponent - half)
}

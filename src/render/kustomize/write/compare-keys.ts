const letter = /^\p{L}$/u
const digit = /^\p{Nd}$/u

/** Orders keys as go-yaml does: numbers inside of keys by their size, and everything else before letters. */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [one, other] = [left[at]!, right[at]!]
    if (one === other) continue
    const [isLetter, isOtherLetter] = [letter.test(one), letter.test(other)]
    if (isLetter !== isOtherLetter) return isOtherLetter ? -1 : 1
    return isLetter ? byCode(one, other) : compareNumbers(left, right, at)
  }
  return left.length - right.length
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  // Within a number that began before, a zero does not make the rest smaller.
  const begun = (left[at] === '0' || right[at] === '0') && isInsideNumber(left, at) ? '1' : ''
  const [a, b] = [digitsFrom(left, at), digitsFrom(right, at)]
  const [sizeA, sizeB] = [BigInt(`${begun}${a}` || '0'), BigInt(`${begun}${b}` || '0')]
  if (sizeA !== sizeB) return sizeA < sizeB ? -1 : 1
  return a.length === b.length ? byCode(left[at]!, right[at]!) : a.length - b.length
}

function isInsideNumber(text: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && digit.test(text[before]!); before--) if (text[before] !== '0') return true
  return false
}

function digitsFrom(text: readonly string[], at: number): string {
  let digits = ''
  for (let next = at; next < text.length && /^[0-9]$/.test(text[next]!); next++) digits += text[next]
  return digits
}

function byCode(a: string, b: string): number {
  return a.codePointAt(0)! - b.codePointAt(0)!
}

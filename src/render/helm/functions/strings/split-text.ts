import type { GoValue } from '../../../gotemplate/value.ts'
import { stringValue } from '../formats/format-value.ts'
import { isList, plainValue } from '../dicts/make-value.ts'

/** Go's `strings.SplitN`: an empty separator gives characters, a negative count all parts. */
export function split(text: string, separator: string, count = -1): string[] {
  if (count === 0) return []
  const parts = separator === '' ? Array.from(text) : text.split(separator)
  if (count < 0 || parts.length <= count) return parts
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)]
}

/** How many parts a split gives, without making them. */
export function countParts(text: string, separator: string): number {
  if (separator === '') return text.length
  let count = 1
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length)) count++
  return count
}

/** A list as texts, without its nils; anything else as a list of one. */
export function stringSlice(value: GoValue): string[] {
  const plain = plainValue(value)
  if (!isList(plain)) return value === null || value === undefined ? [] : [stringValue(value)]
  return plain.filter((item) => item !== null && item !== undefined).map(stringValue)
}

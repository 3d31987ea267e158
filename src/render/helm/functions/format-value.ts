import { goString } from '../../gotemplate/format/sprintf.ts'
import type { GoValue } from '../../gotemplate/value.ts'

/** `%v`. */
export function formatValue(value: GoValue): string {
  return value === undefined ? '<nil>' : goString(value)
}

/** Sprig's `toString`: text as it is, an error's text, or `%v`. */
export function stringValue(value: GoValue): string {
  return typeof value === 'string' ? value : formatValue(value)
}

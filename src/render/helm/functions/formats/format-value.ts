import { goString } from '../../../gotemplate/format/sprintf.ts'
import { fromBytes } from '../../../gotemplate/format/bytes.ts'
import { GoInt, goType, type GoValue } from '../../../gotemplate/value.ts'

/** `%v`. */
export function formatValue(value: GoValue): string {
  return value === undefined ? '<nil>' : goString(value)
}

/** Sprig's `toString`: text as it is, the text of bytes, an error's text, or `%v`. */
export function stringValue(value: GoValue): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value[goType] === '[]uint8') {
    return fromBytes(Uint8Array.from(value, (byte) => (byte instanceof GoInt ? Number(byte.value) : 0)))
  }
  return formatValue(value)
}

import { compareText } from '../../../gotemplate/format/bytes.ts'
import { isGoMap, typeName } from '../../../gotemplate/type-name.ts'
import { GoError, GoFunction, GoInt, GoObject, goType, type GoValue } from '../../../gotemplate/value.ts'
import { bytesOf } from '../encoding/go-bytes.ts'
import { isNilCollection } from '../dicts/nil-values.ts'

/** A named type that says itself what it is in JSON. */
export interface JsonObject {
  json(): GoValue
}

/** How JSON is written. */
export interface JsonStyle {
  /** `<`, `>` and `&` as escapes, as Go does by default. */
  readonly escapesHtml: boolean
  /** What a level is indented by; without it everything stands on one line. */
  readonly indent?: string
  /** The deepest nesting. */
  readonly depth: number
}

/** Writes a value as Go's encoding/json does: sorted keys, its escapes, its numbers. */
export function writeJson(value: GoValue, style: JsonStyle): string {
  return write(value, style, 0)
}

/** The JSON value of a named type: what it says, what it has underneath, or its fields. */
export function jsonValueOf(value: GoObject): GoValue {
  if ('json' in value && typeof value.json === 'function') return (value as GoObject & JsonObject).json()
  const underlying = value.underlying()
  if (underlying !== undefined) return underlying
  const map = Object.create(null) as Record<string, GoValue>
  for (const [name, field] of value.fields()) if (/^\p{Lu}/u.test(name)) map[name] = field
  return map
}

function write(value: GoValue, style: JsonStyle, level: number): string {
  if (level > style.depth) throw new GoError(`json: unsupported value: nested deeper than ${style.depth} levels`)
  if (value === null || value === undefined || isNilCollection(value)) return 'null'
  if (typeof value === 'string') return writeJsonString(value, style.escapesHtml)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return writeFloat(value)
  if (value instanceof GoInt) return value.value.toString()
  if (value instanceof GoFunction) throw new GoError(`json: unsupported type: ${typeName(value)}`)
  if (value instanceof GoError) return '{}'
  if (value instanceof GoObject) return writeObject(value, style, level)
  if (Array.isArray(value)) return writeList(value, style, level)
  return isGoMap(value) ? writeMap(value, style, level) : 'null'
}

function writeList(list: readonly GoValue[] & { [goType]?: string }, style: JsonStyle, level: number): string {
  const bytes = base64Of(list)
  if (bytes !== undefined) return `"${bytes}"`
  return enclose(
    '[',
    ']',
    list.map((item) => write(item, style, level + 1)),
    style,
    level,
  )
}

/** What a list of bytes is in JSON. */
export function base64Of(list: readonly GoValue[] & { [goType]?: string }): string | undefined {
  if (list[goType] !== '[]uint8') return undefined
  return Buffer.from(list.map((item) => Number((item as GoInt).value))).toString('base64')
}

// Fields stand in the order of the struct, keys of a map sorted.
function writeObject(object: GoObject, style: JsonStyle, level: number): string {
  const value = jsonValueOf(object)
  const isStruct = object.underlying() === undefined && isGoMap(value)
  return isStruct ? writeMap(value, style, level, Object.keys(value)) : write(value, style, level + 1)
}

function writeMap(
  map: Record<string, GoValue>,
  style: JsonStyle,
  level: number,
  keys: readonly string[] = Object.keys(map).sort(compareText),
): string {
  const colon = style.indent === undefined ? ':' : ': '
  const entries = keys.map((key) => writeJsonString(key, style.escapesHtml) + colon + write(map[key], style, level + 1))
  return enclose('{', '}', entries, style, level)
}

function enclose(open: string, close: string, parts: readonly string[], style: JsonStyle, level: number): string {
  if (style.indent === undefined || parts.length === 0) return `${open}${parts.join(',')}${close}`
  const inner = `\n${style.indent.repeat(level + 1)}`
  return `${open}${inner}${parts.join(`,${inner}`)}\n${style.indent.repeat(level)}${close}`
}

function writeFloat(value: number): string {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
    throw new GoError(`json: unsupported value: ${name}`)
  }
  return Object.is(value, -0) ? '-0' : String(value)
}

// oxlint-disable-next-line no-control-regex
const special = /["\\\x00-\x1f\u2028\u2029\ud800-\udfff]/
// oxlint-disable-next-line no-control-regex
const specialHtml = /["\\\x00-\x1f\u2028\u2029\ud800-\udfff<>&]/
const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Writes a text as a JSON string; bytes that are not UTF-8 become U+FFFD. */
function writeJsonString(text: string, escapesHtml: boolean): string {
  if (!(escapesHtml ? specialHtml : special).test(text)) return `"${text}"`
  let output = ''
  for (const character of text) {
    const code = character.codePointAt(0)!
    const isEscaped = code < 0x20 || code === 0x2028 || code === 0x2029 || (escapesHtml && '<>&'.includes(character))
    if (code >= 0xd800 && code <= 0xdfff) output += '\\ufffd'
    else output += short[character] ?? (isEscaped ? `\\u${code.toString(16).padStart(4, '0')}` : character)
  }
  return `"${output}"`
}

/** How many bytes a JSON string has. */
export function jsonLength(text: string): number {
  return bytesOf(writeJsonString(text, true)).length
}

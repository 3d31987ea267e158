import { compareText } from '../../../gotemplate/format/bytes.ts'
import { formatFloat } from '../../../gotemplate/format/float.ts'
import { isGoMap, kindName } from '../../../gotemplate/type-name.ts'
import { GoError, GoInt, type GoMap, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { GoTime } from '../date/go-time.ts'
import { isNilCollection } from '../dicts/nil-values.ts'

/** Writes a map as TOML as BurntSushi's encoder does: keys sorted, plain ones before tables, tables indented. */
export function writeToml(value: GoValue, maxDepth: number): string {
  return new TomlWriter(maxDepth).document(value)
}

class TomlWriter {
  readonly #maxDepth: number
  #output = ''

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  document(value: GoValue): string {
    this.#encode([], value)
    return this.#output
  }

  #encode(key: readonly string[], given: GoValue): void {
    const value = resolve(given)
    if (key.length > this.#maxDepth) throw new GoError(`toml: nested deeper than ${this.#maxDepth} levels`)
    if (value === null || value === undefined) {
      if (key.length === 0) throw new GoError('reflect: call of reflect.Value.Type on zero Value')
      return
    }
    if (isGoMap(value)) this.#table(key, value)
    else if (Array.isArray(value) && isTableArray(value)) this.#tables(key, value)
    else this.#pair(key, value, false)
  }

  #table(key: readonly string[], map: GoMap): void {
    if (isNilCollection(map)) return
    if (key.length === 1) this.#newline()
    if (key.length > 0) {
      this.#output += `${indent(key)}[${dotted(key)}]`
      this.#newline()
    }
    this.#entries(key, map)
  }

  #tables(key: readonly string[], list: readonly GoValue[]): void {
    if (key.length === 0) throw new GoError('toml: top-level values must be Go maps or structs')
    for (const item of list) {
      const table = resolve(item)
      if (!isGoMap(table) || isNilCollection(table)) continue
      this.#newline()
      this.#output += `${indent(key)}[[${dotted(key)}]]`
      this.#newline()
      this.#entries(key, table)
    }
  }

  #entries(key: readonly string[], map: GoMap): void {
    const { direct, nested } = sortKeys(map)
    for (const name of [...direct, ...nested]) {
      if (!isNil(map[name])) this.#encode([...key, name], map[name])
    }
  }

  #pair(key: readonly string[], value: GoValue, isInline: boolean): void {
    if (key.length > 0) this.#output += `${indent(key)}${quoteKey(key.at(-1)!)} = `
    this.#element(value, 0)
    if (key.length > 0 && !isInline) this.#newline()
  }

  #element(given: GoValue, depth: number): void {
    const value = resolve(given)
    if (depth > this.#maxDepth) throw new GoError(`toml: nested deeper than ${this.#maxDepth} levels`)
    if (typeof value === 'string') this.#output += quoteString(value)
    else if (typeof value === 'boolean') this.#output += String(value)
    else if (typeof value === 'number') this.#output += writeFloat(value)
    else if (value instanceof GoInt) this.#output += value.value.toString()
    else if (value instanceof GoTime) this.#output += value.format('2006-01-02T15:04:05.999999999Z07:00')
    else if (Array.isArray(value)) this.#array(value, depth)
    else if (isGoMap(value)) this.#inlineTable(value, depth)
    else throw new GoError(`unsupported type: ${kindName(value)}`)
  }

  #array(list: readonly GoValue[], depth: number): void {
    this.#output += '['
    for (const [at, item] of list.entries()) {
      if (at > 0) this.#output += ', '
      this.#element(item, depth + 1)
    }
    this.#output += ']'
  }

  // A nil that ends the entries leaves the comma before it, as upstream's writer does.
  #inlineTable(map: GoMap, depth: number): void {
    const { direct, nested } = sortKeys(map)
    this.#output += '{'
    for (const [keys, isMoreComing] of [
      [direct, nested.length > 0],
      [nested, false],
    ] as const) {
      for (const [at, name] of keys.entries()) {
        if (isNil(map[name])) continue
        this.#output += `${quoteKey(name)} = `
        this.#element(map[name], depth + 1)
        if (isMoreComing || at !== keys.length - 1) this.#output += ', '
      }
    }
    this.#output += '}'
  }

  #newline(): void {
    if (this.#output !== '') this.#output += '\n'
  }
}

function resolve(value: GoValue): GoValue {
  if (!(value instanceof GoObject) || value instanceof GoTime) return value
  return value.text() ?? value.underlying() ?? value
}

function sortKeys(map: GoMap): { direct: string[]; nested: string[] } {
  const [direct, nested]: [string[], string[]] = [[], []]
  for (const key of Object.keys(map).sort(compareText)) {
    const value = resolve(map[key])
    const isTable = !isNil(value) && (isGoMap(value) || (Array.isArray(value) && isTableArray(value)))
    ;(isTable ? nested : direct).push(key)
  }
  return { direct, nested }
}

function isTableArray(list: readonly GoValue[]): boolean {
  if (list.length === 0) return false
  let areTables = true
  for (const item of list) {
    const value = resolve(item)
    if (isNil(value)) throw new GoError('toml: cannot encode array with nil element')
    if (Array.isArray(value)) isTableArray(value)
    if (!isGoMap(value)) areTables = false
  }
  return areTables
}

function isNil(value: GoValue): boolean {
  return value === null || value === undefined || isNilCollection(value)
}

function indent(key: readonly string[]): string {
  return '  '.repeat(Math.max(key.length - 1, 0))
}

function dotted(key: readonly string[]): string {
  return key.map(quoteKey).join('.')
}

function quoteKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoteString(key)
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
}

function quoteString(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replaceAll(/["\\\x00-\x1f\x7f]/g, (character) => {
    return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}

function writeFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const text = formatFloat(value, 'g', -1)
  return /[e.]/.test(text) ? text : `${text}.0`
}

import { formatFloat } from '../../gotemplate/format/float.ts'
import { isGoMap } from '../../gotemplate/type-name.ts'
import { GoError, GoInt, GoObject, type GoValue } from '../../gotemplate/value.ts'
import { compareKeys } from '../../kustomize/write/compare-keys.ts'
import { writeWideString } from './write-wide-string.ts'

/** Writes a value as go-yaml v3 does with an indent of two: lists stand deeper than their key, and no line is folded. */
export function writePrettyYaml(value: GoValue, maxDepth: number): string {
  const node = resolve(value)
  if (!isFilled(node)) return writeLeaf(node, '  ')
  const lines: string[] = []
  writeCollection(node, '', '', lines, maxDepth)
  return lines.join('\n')
}

function writeCollection(value: object, first: string, indent: string, lines: string[], levels: number): void {
  if (levels < 0) throw new GoError('nested too deep')
  let lead = first
  if (Array.isArray(value)) {
    for (const given of value as GoValue[]) {
      const item = resolve(given)
      if (isFilled(item)) writeCollection(item, `${lead}- `, `${indent}  `, lines, levels - 1)
      else lines.push(`${lead}- ${writeLeaf(item, `${indent}  `)}`)
      lead = indent
    }
    return
  }
  const map = value as Record<string, GoValue>
  for (const key of Object.keys(map).sort(compareKeys)) {
    const item = resolve(map[key])
    const name = `${lead}${writeWideString(key, '', true)}:`
    if (isFilled(item)) {
      lines.push(name)
      writeCollection(item, `${indent}  `, `${indent}  `, lines, levels - 1)
    } else lines.push(`${name} ${writeLeaf(item, `${indent}  `)}`)
    lead = indent
  }
}

function resolve(value: GoValue): GoValue {
  if (!(value instanceof GoObject)) return value
  return value.text() ?? value.underlying() ?? fieldsOf(value)
}

// Without a tag go-yaml writes a field's name in lower case.
function fieldsOf(value: GoObject): GoValue {
  const map = Object.create(null) as Record<string, GoValue>
  for (const [name, field] of value.fields()) if (/^\p{Lu}/u.test(name)) map[name.toLowerCase()] = field
  return map
}

function isFilled(value: GoValue): value is GoValue & object {
  if (Array.isArray(value)) return value.length > 0
  return isGoMap(value) && Object.keys(value).length > 0
}

function writeLeaf(value: GoValue, indent: string): string {
  if (typeof value === 'string') return writeWideString(value, indent, false)
  if (typeof value === 'boolean') return String(value)
  if (value instanceof GoInt) return value.value.toString()
  if (Array.isArray(value)) return '[]'
  if (typeof value !== 'number') return isGoMap(value) ? '{}' : 'null'
  if (Number.isNaN(value)) return '.nan'
  return Number.isFinite(value) ? formatFloat(value, 'g', -1) : value > 0 ? '.inf' : '-.inf'
}

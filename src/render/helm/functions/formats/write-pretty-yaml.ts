import { formatFloat } from '../../../gotemplate/format/float.ts'
import { isGoMap } from '../../../gotemplate/type-name.ts'
import { GoError, GoInt, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { analyse } from '../../../kustomize/write/analyse-scalar.ts'
import { writeKey, writeString } from '../../../kustomize/write/write-scalar.ts'
import { writeBlockYaml, type YamlStyle } from './write-block-yaml.ts'

const style: YamlStyle = {
  indentsLists: true,
  text: (text, _, indent) => writeText(text, indent),
  number: (value) => (typeof value === 'bigint' ? value.toString() : writeFloat(value)),
}

// Version 3 writes a text as version 2 does, but folds none, and lets a tab stand in lines that are kept as they are.
function writeText(text: string, indent: string): string {
  const isLiteral = text.includes('\n') && analyse(text.replaceAll('\t', 'a')).block
  return isLiteral ? writeString(text.replaceAll('\t', tab), 0, indent).replaceAll(tab, '\t') : writeKey(text)
}

const tab = '\ue000'

/** Writes a value as go-yaml v3 does with an indent of two: lists stand deeper than their key, and no line is folded. */
export function writePrettyYaml(value: GoValue, maxDepth: number): string {
  return writeBlockYaml(plain(value, maxDepth), style)
}

function plain(value: GoValue, levels: number): unknown {
  if (levels < 0) throw new GoError('maps and lists are nested too deep')
  if (value instanceof GoInt) return value.value
  if (value instanceof GoObject) return plain(value.text() ?? value.underlying() ?? fieldsOf(value), levels - 1)
  if (Array.isArray(value)) return value.map((item) => plain(item, levels - 1))
  if (!isGoMap(value)) return value ?? null
  const map = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(value)) map[key] = plain(value[key], levels - 1)
  return map
}

// Without a tag go-yaml writes a field's name in lower case.
function fieldsOf(value: GoObject): GoValue {
  const map = Object.create(null) as Record<string, GoValue>
  for (const [name, field] of value.fields()) if (/^\p{Lu}/u.test(name)) map[name.toLowerCase()] = field
  return map
}

function writeFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  return Number.isFinite(value) ? formatFloat(value, 'g', -1) : value > 0 ? '.inf' : '-.inf'
}

import { isRecord, type KubeObject } from '../../../core/index.ts'
import { Spelled } from '../yaml/value.ts'
import { compareKeys } from './compare-keys.ts'
import { writeNumber } from './write-number.ts'
import { isSimpleKey, writeKey, writeString } from './write-scalar.ts'

/** Writes objects as kustomize does, byte for byte: keys in natural order, lists at their key's column, lines folded at 80. */
export function renderYaml(objects: readonly KubeObject[]): string {
  return objects.map((object) => writeDocument(object, compareKeys)).join('---\n')
}

/** Writes one value; without a comparison keys stay in the order they have. */
export function writeDocument(value: unknown, compare?: typeof compareKeys): string {
  const lines: string[] = []
  if (isFilled(value)) writeCollection(value, '', '', lines, compare)
  else lines.push(writeLeaf(value, 0, ''))
  return `${lines.join('\n')}\n`
}

type Compare = typeof compareKeys | undefined

// `first` is what stands before the first line of the collection: the indentation, or the dash of a list.
function writeCollection(value: object, first: string, indent: string, lines: string[], compare: Compare): void {
  let lead = first
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isFilled(item)) writeCollection(item, `${lead}- `, `${indent}  `, lines, compare)
      else lines.push(`${lead}- ${writeLeaf(item, lead.length + 2, `${indent}  `)}`)
      lead = indent
    }
    return
  }
  const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined)
  for (const key of compare === undefined ? keys : keys.sort(compare)) {
    writePair(key, (value as Record<string, unknown>)[key], lead, indent, lines, compare)
    lead = indent
  }
}

function writePair(key: string, item: unknown, first: string, indent: string, lines: string[], compare: Compare): void {
  let lead = `${first}${writeKey(key)}:`
  if (!isSimpleKey(key)) {
    lines.push(`${first}? ${writeString(key, first.length + 2, `${indent}  `)}`)
    lead = `${indent}:`
  }
  if (!isFilled(item)) {
    lines.push(`${lead} ${writeLeaf(item, Array.from(lead).length + 1, `${indent}  `)}`)
    return
  }
  lines.push(lead)
  const inner = Array.isArray(item) ? indent : `${indent}  `
  writeCollection(item, inner, inner, lines, compare)
}

function isFilled(value: unknown): value is object {
  if (Array.isArray(value)) return value.length > 0
  return isRecord(value) && !(value instanceof Spelled) && Object.values(value).some((item) => item !== undefined)
}

function writeLeaf(value: unknown, column: number, indent: string): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, column, indent)
    case 'number':
    case 'bigint':
      return writeNumber(value)
    case 'boolean':
      return String(value)
    default:
      if (value instanceof Spelled) return value.text
      if (Array.isArray(value)) return '[]'
      return isRecord(value) ? '{}' : 'null'
  }
}

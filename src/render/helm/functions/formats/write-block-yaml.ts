import { isRecord } from '../../../../core/index.ts'
import { compareKeys } from '../../../kustomize/write/compare-keys.ts'
import { isSimpleKey, writeKey } from '../../../kustomize/write/write-scalar.ts'

/** What go-yaml's two versions do differently. */
export interface YamlStyle {
  /** Whether a list stands deeper than its key. */
  readonly indentsLists: boolean
  /** A text that begins at a column; further lines are indented. */
  text(text: string, column: number, indent: string): string
  number(value: number | bigint): string
}

/** Writes plain data as go-yaml does, without the last line break: keys in its natural order, collections in block style. */
export function writeBlockYaml(value: unknown, style: YamlStyle): string {
  const lines: string[] = []
  if (isFilled(value)) writeCollection(value, '', '', lines, style)
  else lines.push(writeLeaf(value, 0, '  ', style))
  return lines.join('\n')
}

// `first` is what stands before the first line: the indentation, the dash of a list, or a colon.
function writeCollection(value: object, first: string, indent: string, lines: string[], style: YamlStyle): void {
  let lead = first
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (isFilled(item)) writeCollection(item, `${lead}- `, `${indent}  `, lines, style)
      else lines.push(`${lead}- ${writeLeaf(item, lead.length + 2, `${indent}  `, style)}`)
      lead = indent
    }
    return
  }
  for (const key of Object.keys(value).sort(compareKeys)) {
    writePair(key, (value as Record<string, unknown>)[key], lead, indent, lines, style)
    lead = indent
  }
}

function writePair(key: string, item: unknown, first: string, indent: string, lines: string[], style: YamlStyle): void {
  const inner = `${indent}  `
  if (!isSimpleKey(key) || /[\r\x85\u2028\u2029]/.test(key)) {
    lines.push(`${first}? ${indentBreaks(style.text(key, first.length + 2, inner), inner)}`)
    if (isFilled(item)) writeCollection(item, `${indent}: `, inner, lines, style)
    else lines.push(`${indent}: ${writeLeaf(item, indent.length + 2, inner, style)}`)
    return
  }
  const name = `${first}${writeKey(key)}:`
  if (!isFilled(item)) {
    lines.push(`${name} ${writeLeaf(item, Array.from(name).length + 1, inner, style)}`)
    return
  }
  lines.push(name)
  const place = Array.isArray(item) && !style.indentsLists ? indent : inner
  writeCollection(item, place, place, lines, style)
}

function isFilled(value: unknown): value is object {
  return Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0
}

function writeLeaf(value: unknown, column: number, indent: string, style: YamlStyle): string {
  if (typeof value === 'string') return indentBreaks(style.text(value, column, indent), indent)
  if (typeof value === 'number' || typeof value === 'bigint') return style.number(value)
  if (Array.isArray(value)) return '[]'
  return isRecord(value) ? '{}' : String(value)
}

// To go-yaml U+2028 and U+2029 end a line, and what follows one within quotes is indented.
function indentBreaks(written: string, indent: string): string {
  if (!written.startsWith("'") || !/[\u2028\u2029]/.test(written)) return written
  return `'${written.slice(1, -1).replaceAll(/[\u2028\u2029](?=[^\u2028\u2029])/g, (found) => found + indent)}'`
}

import { LadingError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { writeBlock, writeFlowString } from './write-string.ts'

/** Writes a value as YAML that every YAML 1.1 and 1.2 reader reads back the same; keys keep their order. */
export function writeYaml(value: unknown): string {
  const lines: string[] = []
  if (isFilled(value)) writeCollection(value, '', '', lines)
  // Readers disagree about the indentation of a block that stands alone.
  else lines.push(typeof value === 'string' ? writeFlowString(value) : writeScalar(value, ''))
  return `${lines.join('\n')}\n`
}

/** Writes objects as one stream, `---` between them. */
export function writeDocuments(values: readonly unknown[]): string {
  return values.map(writeYaml).join('---\n')
}

// `first` is what stands before the first line of the collection: the indentation, or the dash of a list.
function writeCollection(value: object, first: string, indent: string, lines: string[]): void {
  let lead = first
  if (Array.isArray(value)) {
    for (const item of value) {
      writeItem(item, `${lead}-`, indent, lines)
      lead = indent
    }
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    writePair(key, item, lead, indent, lines)
    lead = indent
  }
}

function writeItem(item: unknown, lead: string, indent: string, lines: string[]): void {
  if (isFilled(item)) writeCollection(item, `${lead} `, `${indent}  `, lines)
  else lines.push(`${lead} ${writeScalar(item, indent)}`)
}

// A reader looks at most 1024 characters ahead for the colon of a key: longer keys are written with `?`.
const longestSimpleKey = 1000

function writePair(key: string, item: unknown, first: string, indent: string, lines: string[]): void {
  const written = writeFlowString(key)
  let lead = `${first}${written}:`
  if (written.length > longestSimpleKey) {
    lines.push(`${first}? ${written}`)
    lead = `${indent}:`
  }
  if (!isFilled(item)) {
    lines.push(`${lead} ${writeScalar(item, indent)}`)
    return
  }
  lines.push(lead)
  // Lists stand at their key's column, as kubectl and kustomize write them.
  const inner = Array.isArray(item) ? indent : `${indent}  `
  writeCollection(item, inner, inner, lines)
}

function isFilled(value: unknown): value is object {
  if (Array.isArray(value)) return value.length > 0
  return isRecord(value) && Object.values(value).some((item) => item !== undefined)
}

function writeScalar(value: unknown, indent: string): string {
  switch (typeof value) {
    case 'string':
      return writeBlock(value, `${indent}  `) ?? writeFlowString(value)
    case 'number':
      return writeNumber(value)
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      if (Array.isArray(value)) return '[]'
      return isRecord(value) ? '{}' : 'null'
  }
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new LadingError('yaml.number', 'JSON has no infinity and no NaN')
  const text = Number.isInteger(value) ? writeWhole(value) : String(value)
  // YAML 1.1 asks a float for its point: without it `1e+21` is a string to some readers.
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text
}

// Past 2^53 the shortest digits are not the number's own: as an integer they would be read as another one.
function writeWhole(value: number): string {
  return Math.abs(value) < 2 ** 63 ? BigInt(value).toString() : value.toExponential()
}

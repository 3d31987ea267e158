import { gvkOf, isRecord, type KubeObject } from '../../core/index.ts'
import { checkRules } from './check-rules.ts'
import { type Finding, jsonType, missing, show, unknownField, wrongType } from './finding.ts'
import { propertyOf } from '../kinds/raw-schema.ts'
import type { ScalarType, SchemaNode } from '../kinds/schema-node.ts'
import type { SchemaSet } from '../kinds/schema-set.ts'

/**
 * What of an object does not fit its type; nothing for a kind that the set does not know. For custom resources it is what
 * the API server would refuse (CEL rules apart); for built-in kinds the API server's own code may allow or demand more.
 */
export function validateObject(object: KubeObject, schema: SchemaSet): Finding[] {
  const type = schema.type(gvkOf(object))
  const findings: Finding[] = []
  if (type !== undefined) checkNode(object, type, '', findings)
  return findings
}

/** What of a value does not fit a type, paths counted from the value. */
export function validateValue(value: unknown, node: SchemaNode): Finding[] {
  const findings: Finding[] = []
  checkNode(value, node, '', findings)
  return findings
}

function checkNode(value: unknown, node: SchemaNode, path: string, findings: Finding[]): void {
  if (value === null && node.nullable) return
  const fits = hasShape(value, node)
  if (!fits) {
    findings.push(wrongType(path, value, typeText(node)))
    return
  }
  if (isRecord(value)) checkFields(value, node, path, findings)
  else if (Array.isArray(value)) checkItems(value, node, path, findings)
  checkRules(value, node.raw, path, findings)
}

function checkFields(value: Record<string, unknown>, node: SchemaNode, path: string, findings: Finding[]): void {
  for (const name of node.required) {
    if (value[name] === undefined || (value[name] === null && !takesNull(node, name)))
      findings.push(missing(join(path, name)))
  }
  for (const [name, entry] of Object.entries(value)) {
    const child = node.field(name)
    const at = join(path, name)
    if (child === undefined) findings.push(unknownField(at))
    // The API server drops a null where none is allowed, so that the field counts as absent.
    else if (entry !== null && entry !== undefined) checkNode(entry, child, at, findings)
  }
}

/** Only built-in types refer to others, and those are Go types: they take null for their zero value, as in `eventTime: null`. */
function takesNull(node: SchemaNode, name: string): boolean {
  return node.field(name)?.nullable === true || propertyOf(node.raw, name)?.$ref !== undefined
}

function checkItems(value: readonly unknown[], node: SchemaNode, path: string, findings: Finding[]): void {
  const items = node.items()
  if (items === undefined) return
  const seen = new Set<string>()
  for (const [index, item] of value.entries()) {
    const at = `${path}[${index}]`
    checkNode(item, items, at, findings)
    const identity = identityOf(item, node, items)
    if (identity === undefined) continue
    if (seen.has(identity))
      findings.push({ path: at, reason: 'FieldValueDuplicate', message: `Duplicate value: ${identity}` })
    seen.add(identity)
  }
}

/** What tells an item of a set or of a keyed list from the others; undefined where nothing has to. */
function identityOf(item: unknown, list: SchemaNode, items: SchemaNode): string | undefined {
  if (list.listType === 'set') return show(item)
  if (list.listType !== 'map' || !isRecord(item)) return undefined
  const keys = list.mapKeys.map((key) => [key, item[key] ?? items.field(key)?.default] as const)
  return show(Object.fromEntries(keys.filter(([, value]) => value !== undefined)))
}

function hasShape(value: unknown, node: SchemaNode): boolean {
  if (node.shape === 'any') return true
  if (node.shape === 'list') return Array.isArray(value)
  if (node.scalar !== undefined) return scalarTypes[node.scalar].includes(jsonType(value))
  return isRecord(value)
}

const scalarTypes: Record<ScalarType, readonly string[]> = {
  string: ['string'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'number'],
  'int-or-string': ['integer', 'string'],
  quantity: ['string', 'integer', 'number'],
}

function typeText(node: SchemaNode): string {
  if (node.scalar !== undefined) return node.scalar === 'number' ? 'number' : scalarTypes[node.scalar].join(',')
  return node.shape === 'list' ? 'array' : 'object'
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

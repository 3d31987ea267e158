import { isRecord } from '../../core/index.ts'
import type { RawSchema } from './raw-schema.ts'

/** Whether every part of a schema has the form that its keyword wants; what stands in a manifest may be anything. */
export function isWellFormed(schema: unknown): schema is RawSchema {
  return isRecord(schema) && Object.entries(schema).every(([keyword, value]) => forms.get(keyword)?.(value) ?? true)
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(isItem)
const isList = isListOf(() => true)
const isMapOfSchemas = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isWellFormed)

const forms: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', isText],
  ['format', isText],
  ['$ref', isText],
  ['properties', isMapOfSchemas],
  ['items', isWellFormed],
  ['additionalProperties', (value) => typeof value === 'boolean' || isWellFormed(value)],
  ['required', isListOf(isText)],
  ['enum', isList],
  ['allOf', isListOf(isWellFormed)],
  ['anyOf', isListOf(isWellFormed)],
  ['oneOf', isListOf(isWellFormed)],
  ['not', isWellFormed],
  ['x-kubernetes-list-map-keys', isListOf(isText)],
])

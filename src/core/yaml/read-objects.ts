import { isRecord } from '../json/json.ts'
import type { YamlDocument } from './construct.ts'
import type { KubeObject } from '../objects/object.ts'
import { parseDocuments, type ReadOptions } from './parse-documents.ts'
import { errorAt, type Place } from './place.ts'

/** An object and where it was read. */
export interface PlacedObject {
  readonly object: KubeObject
  readonly place: Place
}

/** Reads the objects of YAML or JSON text: lists expanded, empty documents skipped, every object named. */
export function readObjects(text: string, options: ReadOptions = {}): KubeObject[] {
  return readPlacedObjects(text, options).map((placed) => placed.object)
}

/** The objects of a document that was parsed already, as `readObjects` gives them. */
export function objectsOf({ value, index, line }: YamlDocument, file: string): KubeObject[] {
  const placed: PlacedObject[] = []
  if (value !== null) collect(value, { file, document: index, line }, '', placed)
  return placed.map(({ object }) => object)
}

/** Like `readObjects`, keeping where each object came from. */
export function readPlacedObjects(text: string, options: ReadOptions = {}): PlacedObject[] {
  const placed: PlacedObject[] = []
  const file = options.file === undefined ? {} : { file: options.file }
  for (const { value, index, line } of parseDocuments(text, options)) {
    if (value !== null) collect(value, { ...file, document: index, line }, '', placed)
  }
  return placed
}

function collect(value: unknown, place: Place, path: string, placed: PlacedObject[]): void {
  if (!isRecord(value)) {
    throw errorAt('object.invalid', `${path === '' ? 'the document' : path} is no object`, withField(place, path))
  }
  if (isList(value)) {
    const items = value['items'] as unknown[] | null | undefined
    items?.forEach((item, index) => collect(inherit(item, value), place, join(path, `items[${index}]`), placed))
    return
  }
  checkIdentity(value, place, path)
  placed.push({ object: value, place: withField(place, path) })
}

// The API server itself answers lists without a name; a custom resource whose kind happens to end so has one.
function isList(value: Record<string, unknown>): boolean {
  const { kind, items, metadata } = value
  if (typeof kind !== 'string' || !kind.endsWith('List')) return false
  if (isRecord(metadata) && metadata['name'] !== undefined) return false
  return Array.isArray(items) || (kind === 'List' && (items === undefined || items === null))
}

/** An item without apiVersion and kind takes the list's, as kubectl does: a ConfigMapList holds ConfigMaps. */
function inherit(item: unknown, list: Record<string, unknown>): unknown {
  if (!isRecord(item) || item['apiVersion'] !== undefined || item['kind'] !== undefined) return item
  const kind = String(list['kind']).slice(0, -'List'.length)
  return kind === '' ? item : { apiVersion: list['apiVersion'], kind, ...item }
}

function checkIdentity(value: Record<string, unknown>, place: Place, path: string): asserts value is KubeObject {
  const { apiVersion, kind, metadata } = value
  if (!isName(apiVersion)) throw missing('apiVersion', apiVersion, place, path)
  if (!isName(kind)) throw missing('kind', kind, place, path)
  if (!isRecord(metadata)) throw missing('metadata', metadata, place, path)
  if (metadata['name'] === undefined && isName(metadata['generateName'])) return
  if (!isName(metadata['name'])) throw missing('metadata.name', metadata['name'], place, path)
  const { namespace } = metadata
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    throw missing('metadata.namespace', namespace, place, path)
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function missing(name: string, value: unknown, place: Place, path: string) {
  const field = join(path, name)
  const problem = value === undefined || value === null || value === '' ? 'is missing' : wrongType(name, value)
  return errorAt('object.invalid', `${field} ${problem}`, withField(place, field))
}

// `name: 123` and `namespace: on` are the usual surprises of YAML.
function wrongType(name: string, value: unknown): string {
  if (name === 'metadata') return 'must be a map'
  const type = Array.isArray(value)
    ? 'list'
    : isRecord(value)
      ? 'map'
      : typeof value === 'boolean'
        ? 'boolean'
        : 'number'
  return `must be a string, not a ${type}${type === 'number' || type === 'boolean' ? ': quote it' : ''}`
}

function withField(place: Place, field: string): Place {
  return field === '' ? place : { ...place, field }
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}

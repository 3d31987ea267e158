import { isRecord, LadingError, stringifyJson } from '../../../core/index.ts'

/** A schema: a map of keywords, or a boolean that allows all or nothing. */
export type Schema = boolean | Readonly<Record<string, unknown>>

/** Which edition of JSON Schema a document is written in. */
export type Draft = 4 | 6 | 7 | 2019 | 2020

const drafts: readonly [RegExp, Draft][] = [
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, 4],
  [/^https?:\/\/json-schema\.org\/draft-06\/schema#?$/, 6],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, 7],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, 2019],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, 2020],
  [/^https?:\/\/json-schema\.org\/schema#?$/, 2020],
]
const base = 'file:///values.schema.json'
const maxDepth = 500

/** A schema document and what its references lead to; nothing outside of the document is ever read. */
export interface SchemaDocument {
  readonly root: Schema
  readonly draft: Draft
  /** What a `$ref` leads to; `at` is the schema that holds it. */
  resolve(reference: string, at: Schema): Schema
}

/** Indexes a parsed values.schema.json. */
export function schemaDocument(root: unknown, warn: (message: string) => void): SchemaDocument {
  const schema = asSchema(root, '#')
  const draft = draftOf(schema)
  const index: Index = { byUri: new Map(), baseOf: new Map() }
  indexSchema(schema, base, draft, index, 0)
  const resolved = new Map<string, Schema>()
  return {
    root: schema,
    draft,
    resolve(reference, at) {
      const within = index.baseOf.get(at) ?? base
      const key = `${within} ${reference}`
      const known = resolved.get(key) ?? find(absolute(reference, within), index, warn)
      resolved.set(key, known)
      return known
    },
  }
}

interface Index {
  /** Schemas with an `$id`, and anchors as `uri#anchor`. */
  readonly byUri: Map<string, Schema>
  readonly baseOf: Map<Schema, string>
}

function draftOf(root: Schema): Draft {
  const given = isRecord(root) ? root['$schema'] : undefined
  if (typeof given !== 'string') return 2020
  const found = drafts.find(([pattern]) => pattern.test(given))
  if (found === undefined) throw refused(given)
  return found[1]
}

function indexSchema(node: unknown, within: string, draft: Draft, index: Index, depth: number): void {
  if (depth > maxDepth) throw new LadingError('schema.invalid', `values.schema.json is nested deeper than ${maxDepth}`)
  if (Array.isArray(node)) {
    for (const item of node) indexSchema(item, within, draft, index, depth + 1)
    return
  }
  if (!isRecord(node)) return
  const uri = uriOf(node, within, draft)
  const [plain = '', fragment = ''] = uri.split('#')
  if (depth === 0) index.byUri.set(base, node)
  if (plain !== within || depth === 0) index.byUri.set(plain, node)
  if (fragment !== '') index.byUri.set(uri, node)
  index.baseOf.set(node, plain)
  for (const anchor of [node['$anchor'], node['$dynamicAnchor']]) {
    if (typeof anchor === 'string') index.byUri.set(`${plain}#${anchor}`, node)
  }
  for (const [key, item] of Object.entries(node)) {
    if (key !== 'enum' && key !== 'const' && key !== 'default') indexSchema(item, plain, draft, index, depth + 1)
  }
}

function uriOf(node: Readonly<Record<string, unknown>>, within: string, draft: Draft): string {
  const id = node[draft === 4 ? 'id' : '$id']
  const counts = typeof id === 'string' && (draft >= 2019 || node['$ref'] === undefined)
  return counts ? absolute(id, within) : within
}

function absolute(reference: string, within: string): string {
  try {
    return new URL(reference, within).href
  } catch {
    if (reference.startsWith('urn:')) return reference
    throw new LadingError('schema.invalid', `values.schema.json: ${stringifyJson(reference)} is no reference`)
  }
}

function find(uri: string, index: Index, warn: (message: string) => void): Schema {
  const [plain = '', fragment = ''] = uri.split('#')
  const anchored = index.byUri.get(uri)
  if (anchored !== undefined) return anchored
  const document = index.byUri.get(plain)
  if (document === undefined) {
    if (!plain.startsWith('urn:')) throw refused(uri)
    // Helm lets these pass as well.
    warn(`unresolved URN reference ignored; using permissive schema: ${plain}`)
    return true
  }
  return fragment === '' ? document : atPointer(document, decodeURIComponent(fragment), uri)
}

function atPointer(document: Schema, pointer: string, uri: string): Schema {
  let node: unknown = document
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    node =
      (isRecord(node) || Array.isArray(node)) && Object.hasOwn(node, key)
        ? (node as Record<string, unknown>)[key]
        : undefined
  }
  if (node === undefined || !pointer.startsWith('/')) {
    throw new LadingError('schema.invalid', `values.schema.json: nothing is at ${uri}`, { reference: uri })
  }
  return asSchema(node, uri)
}

function asSchema(node: unknown, place: string): Schema {
  if (typeof node === 'boolean' || isRecord(node)) return node
  throw new LadingError('schema.invalid', `values.schema.json: ${place} is no schema`, { reference: place })
}

function refused(uri: string): LadingError {
  const problem = `values.schema.json refers to ${uri}: references must stay within the file`
  return new LadingError('chart.refused', problem, { reference: uri })
}

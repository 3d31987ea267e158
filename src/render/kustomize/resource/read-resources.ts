import { LadingError } from '../../../core/index.ts'
import { readDocuments } from '../yaml/read-documents.ts'
import { isEmpty, isMap, textOf, type Value } from '../yaml/value.ts'
import { Resource } from './resource.ts'

/** Reads the resources of a file: lists are taken apart, and each needs a kind and a name. */
export function readResources(text: string, file: string): Resource[] {
  const documents = readDocuments(text, file)
  const pending = documents.length === 1 ? unwrap(documents[0]!, file) : documents
  const resources: Resource[] = []
  // Items of a list come behind everything that the file holds besides it, as kustomize orders them.
  for (let next = 0; next < pending.length; next++) {
    const value = pending[next]!
    if (isEmpty(value)) continue
    if (!isMap(value)) throw invalid(file, 'a document is no map')
    const kind = textOf(value['kind'])
    if (kind === '') throw invalid(file, 'missing kind in an object')
    if (kind.endsWith('List') && Object.hasOwn(value, 'items')) {
      pending.push(...itemsOf(value['items']!, kind, file))
      continue
    }
    const { metadata } = value
    const name = isMap(metadata) ? textOf(metadata['name']) : ''
    if (name === '' && !kind.endsWith('List')) throw invalid(file, `missing metadata.name in an object of kind ${kind}`)
    resources.push(new Resource(value))
  }
  return resources
}

function unwrap(document: Value, file: string): Value[] {
  if (!isMap(document)) return [document]
  const kind = textOf(document['kind'])
  if (kind !== 'List' && kind !== 'ResourceList') return [document]
  return Object.hasOwn(document, 'items') ? itemsOf(document['items']!, kind, file) : [document]
}

function itemsOf(items: Value, kind: string, file: string): Value[] {
  if (Array.isArray(items)) return [...items]
  if (isEmpty(items)) return []
  throw invalid(file, `expected array in ${kind}/items`)
}

function invalid(file: string, problem: string): LadingError {
  return new LadingError('object.invalid', `${file}: ${problem}`, { file })
}

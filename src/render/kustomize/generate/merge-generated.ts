import { LadingError, stringifyJson } from '../../../core/index.ts'
import { formatId } from '../resource/res-id.ts'
import type { ResMap } from '../resource/res-map.ts'
import type { Resource } from '../resource/resource.ts'
import { isMap, isScalar, newMap, textOf, type ValueMap } from '../yaml/value.ts'
import { encodeBase64 } from './generate-data.ts'

/** Adds a generated resource, or merges it with or puts it in the place of the one that it names. */
export function mergeGenerated(resources: ResMap, resource: Resource): void {
  const id = resource.currentId()
  const [old, second] = resources.withAnyId(id)
  if (second !== undefined) throw problem(`found multiple objects that could accept merge of ${formatId(id)}`, resource)
  if (old === undefined) {
    if (resource.behavior === 'create') return resources.append(resource)
    throw problem(`id ${formatId(id)} does not exist; cannot ${resource.behavior}`, resource)
  }
  if (resource.behavior === 'create') {
    throw problem(`id ${formatId(id)} exists; behavior must be merge or replace`, resource)
  }
  const { origin } = resource
  const merges = resource.behavior === 'merge'
  takeMetadata(resource, old)
  resource.origin = merges ? (old.origin ?? origin) : (origin ?? old.origin)
  if (merges) {
    mergeTexts(resource, old, 'data', stringData(resource, old))
    mergeTexts(resource, old, 'binaryData')
  }
  resources.replace(old, resource)
}

function takeMetadata(resource: Resource, old: Resource): void {
  const { needsHash } = resource
  resource.setTexts('labels', { ...old.texts('labels'), ...resource.texts('labels') })
  resource.setTexts('annotations', { ...old.texts('annotations'), ...resource.texts('annotations') })
  resource.name = old.name
  resource.namespace = old.namespace
  resource.rememberAs(old)
  resource.needsHash = needsHash && old.needsHash
}

// The API server puts a Secret's stringData into its data; a generated Secret that merges with one would lose it otherwise.
function stringData(resource: Resource, old: Resource): ValueMap {
  const data = newMap()
  const texts = resource.apiVersion === 'v1' && resource.kind === 'Secret' ? old.node['stringData'] : undefined
  for (const [key, value] of Object.entries(isMap(texts) ? texts : {})) {
    if (!isScalar(value)) throw problem(`stringData value for key ${stringifyJson(key)} must be a scalar`, resource)
    data[key] = encodeBase64(Buffer.from(textOf(value)))
  }
  return data
}

function mergeTexts(resource: Resource, old: Resource, field: 'data' | 'binaryData', more: ValueMap = newMap()): void {
  const merged = newMap()
  for (const source of [old.node[field], more, resource.node[field]]) {
    if (isMap(source)) for (const [key, value] of Object.entries(source)) merged[key] = textOf(value)
  }
  if (Object.keys(merged).length > 0) resource.node[field] = merged
  else delete resource.node[field]
}

function problem(text: string, resource: Resource): LadingError {
  return new LadingError('kustomize.invalid', `merging from generator ${resource.name}: ${text}`, {
    generator: resource.name,
  })
}

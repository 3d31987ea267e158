import { createHash } from 'node:crypto'
import { stringifyJson } from '../../../core/index.ts'
import type { ResMap } from '../resource/res-map.ts'
import type { Resource } from '../resource/resource.ts'
import { isScalar, textOf, toJson, type Value } from '../yaml/value.ts'

/** Puts a hash of their content behind the names of generated resources. */
export function addHashes(resources: ResMap): void {
  for (const resource of resources.resources) {
    if (!resource.needsHash) continue
    const hash = hashOf(resource)
    resource.storeId()
    resource.name = `${resource.name}-${hash}`
  }
  resources.changed()
}

/** The hash that kustomize gives a ConfigMap or Secret; its name is no part of it. */
function hashOf(resource: Resource): string {
  const { node } = resource
  const content: Record<string, unknown> = {}
  if (resource.kind === 'Secret') {
    content['data'] = hashed(node['data'])
    content['kind'] = 'Secret'
    content['name'] = ''
    if (node['stringData'] !== undefined && !isScalar(node['stringData']))
      content['stringData'] = hashed(node['stringData'])
    content['type'] = hashed(node['type'])
  } else if (resource.kind === 'ConfigMap') {
    if (node['binaryData'] !== undefined && !isScalar(node['binaryData']))
      content['binaryData'] = hashed(node['binaryData'])
    content['data'] = hashed(node['data'])
    content['kind'] = 'ConfigMap'
    content['name'] = ''
  } else Object.assign(content, toJson(node))
  const hex = createHash('sha256').update(goJson(content)).digest('hex')
  return hex.slice(0, 10).replaceAll(/[013ae]/g, (digit) => letters[digit]!)
}

// Kubernetes' names avoid what could spell words.
const letters: Record<string, string> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }

function hashed(value: Value | undefined): unknown {
  if (value === undefined) return ''
  return isScalar(value) ? textOf(value) : toJson(value)
}

// Go's writer escapes what could end a script element in HTML.
function goJson(value: unknown): string {
  return stringifyJson(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

import { LadingError } from '../../../core/index.ts'
import type { GeneratorArgs, GeneratorOptions } from '../load/arguments.ts'
import type { Loader } from '../load/loader.ts'
import { type Behavior, Resource } from '../resource/resource.ts'
import { compareText, newMap, type ValueMap } from '../yaml/value.ts'
import { readPairs } from './read-pairs.ts'

const lineLength = 70

/** Makes the ConfigMap that a generator describes. */
export function generateConfigMap(args: GeneratorArgs, global: GeneratorOptions | undefined, loader: Loader): Resource {
  const resource = newResource('ConfigMap', args)
  for (const [key, bytes] of sortedPairs(args, loader)) {
    const text = textOfBytes(bytes)
    // Kustomize writes such a text as a YAML block that it cannot read back.
    if (text !== undefined && /^\n*\t/.test(text) && text.includes('\n')) {
      const problem = `generator ${args.name}: the value of ${key} begins with a tab, which YAML takes for indentation`
      throw new LadingError('yaml.syntax', problem, { generator: args.name, key })
    }
    const field = text === undefined ? 'binaryData' : 'data'
    const data = (resource.node[field] ??= newMap()) as ValueMap
    data[key] = text ?? encodeBase64(bytes)
  }
  return finish(resource, args, global)
}

/** Makes the Secret that a generator describes. */
export function generateSecret(args: GeneratorArgs, global: GeneratorOptions | undefined, loader: Loader): Resource {
  const resource = newResource('Secret', args)
  resource.node['type'] = args.type === undefined || args.type === '' ? 'Opaque' : args.type
  const data = (resource.node['data'] = newMap())
  for (const [key, bytes] of sortedPairs(args, loader)) data[key] = encodeBase64(bytes)
  return finish(resource, args, global)
}

function newResource(kind: string, args: GeneratorArgs): Resource {
  if (args.name === '')
    throw new LadingError('kustomize.invalid', `a ${kind} generator must have a name`, { field: 'name' })
  const metadata = newMap({ name: args.name })
  if (args.namespace !== '') metadata['namespace'] = args.namespace
  return new Resource(newMap({ apiVersion: 'v1', kind, metadata }))
}

function sortedPairs(args: GeneratorArgs, loader: Loader): [string, Uint8Array][] {
  return [...readPairs(args, loader)].sort(([a], [b]) => compareText(a, b))
}

// A local false cannot undo a global true, and local texts win over global ones.
function finish(resource: Resource, args: GeneratorArgs, global: GeneratorOptions | undefined): Resource {
  const local = args.options
  resource.setTexts('labels', { ...global?.labels, ...local?.labels })
  resource.setTexts('annotations', { ...global?.annotations, ...local?.annotations })
  if (local?.immutable === true || global?.immutable === true) resource.node['immutable'] = true
  resource.needsHash = !(local?.disableNameSuffixHash === true || global?.disableNameSuffixHash === true)
  resource.behavior = behaviorOf(args.behavior)
  return resource
}

function behaviorOf(text: string): Behavior {
  return text === 'replace' || text === 'merge' ? text : 'create'
}

function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Writes bytes as kustomize does: base64 in lines, which the API server reads all the same. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('base64')
  if (text.length < lineLength) return text
  return text.replaceAll(new RegExp(`.{1,${lineLength}}`, 'g'), (line) => `${line}\n`)
}

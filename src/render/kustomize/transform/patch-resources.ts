import { applyJsonPatch, isLadingError, isRecord, LadingError } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import type { PatchArgs } from '../load/arguments.ts'
import type { Loader } from '../load/loader.ts'
import { mergeStrategic } from '../merge/merge-patch.ts'
import type { SchemaLookup } from '../merge/merge-schema.ts'
import { readResources } from '../resource/read-resources.ts'
import { formatId, idKey } from '../resource/res-id.ts'
import type { ResMap } from '../resource/res-map.ts'
import type { Resource } from '../resource/resource.ts'
import { selectResources } from '../select/select-resources.ts'
import { stripLastBlock } from '../yaml/strip-last-block.ts'
import { copyValue, fromJson, isMap, newMap, toJson } from '../yaml/value.ts'

interface Changes {
  readonly name: boolean
  readonly kind: boolean
}

/** Applies one entry of `patches`: a strategic merge patch or a JSON patch, inline or from a file. */
export function patchResources(resources: ResMap, args: PatchArgs, loader: Loader, lookup: SchemaLookup): void {
  const { source, content } = readSource(args, loader)
  const merges = attempt(() => readResources(content, source))
  const operations = readOperations(content)
  if (operations !== undefined && operations.length > 0 && Array.isArray(merges) && merges.length > 0) {
    throw invalid(`${source} is both a strategic merge patch and a JSON patch`)
  }
  // A file with nothing in it, or nothing but comments, is a merge patch that changes nothing.
  if (Array.isArray(merges)) {
    const changes = { name: args.options?.allowNameChange === true, kind: args.options?.allowKindChange === true }
    if (args.target === undefined) return mergeById(resources, merges, changes, lookup, source)
    return mergeSelected(resources, merges, args.target, changes, lookup, source)
  }
  if (isLadingError(merges) && operations === undefined) throw merges
  if (args.target === undefined) throw invalid(`${source} is a JSON patch and needs a target`)
  for (const resource of selectResources(resources.resources, args.target, 'patches.target')) {
    resource.storeId()
    applyOperations(resource, operations ?? [], source)
  }
  resources.changed()
}

function readSource(args: PatchArgs, loader: Loader): { source: string; content: string } {
  const text = args.patch.trim()
  if (text === '' && args.path === '') throw invalid('patches: an entry needs one of patch and path')
  if (text !== '' && args.path !== '') throw invalid('patches: patch and path cannot be set at the same time')
  if (args.path === '') return { source: 'patches: the inline patch', content: text }
  return { source: `patches: ${args.path}`, content: loader.loadText(args.path) }
}

/** Applies strategic merge patches to the resources that they name. */
export function mergeById(
  resources: ResMap,
  patches: readonly Resource[],
  changes: Changes,
  lookup: SchemaLookup,
  source: string,
): void {
  for (const patch of patches) {
    const id = patch.currentId()
    const [target, second] = resources.withAnyId(id)
    if (target === undefined || second !== undefined) {
      const why = target === undefined ? 'no matches' : 'multiple matches'
      throw new LadingError(
        'patch.invalid',
        `${source}: ${why} for Id ${formatId(id)}; failed to find unique target for patch`,
        {
          id: formatId(id),
        },
      )
    }
    applyMerge(target, patch, changes, lookup, source)
    if (changes.name || changes.kind) resources.changed()
  }
}

function mergeSelected(
  resources: ResMap,
  patches: readonly Resource[],
  target: NonNullable<PatchArgs['target']>,
  changes: Changes,
  lookup: SchemaLookup,
  source: string,
): void {
  const [patch, second] = patches
  if (patch === undefined) return
  if (second !== undefined) throw invalid(`${source} holds several strategic merge patches, which cannot have a target`)
  const selected = new Set(
    selectResources(resources.resources, target, 'patches.target').map((each) => idKey(each.currentId())),
  )
  for (const resource of resources.resources) {
    if (!selected.has(idKey(resource.currentId()))) continue
    const own = patch.copy()
    own.node['apiVersion'] = resource.apiVersion
    applyMerge(resource, own, changes, lookup, source)
  }
  if (changes.name || changes.kind || resources.resources.some((each) => each.isDeleted)) {
    resources.reset(
      resources.resources.filter((each) => !each.isDeleted),
      true,
    )
  }
}

function applyMerge(resource: Resource, patch: Resource, changes: Changes, lookup: SchemaLookup, source: string): void {
  const { name, namespace, kind } = resource
  if (changes.name || changes.kind) resource.storeId()
  try {
    resource.node = mergeStrategic(resource.node, copyValue(patch.node), lookup) ?? newMap()
  } catch (error) {
    if (!isLadingError(error, 'patch.invalid')) throw error
    const id = formatId(resource.currentId())
    throw new LadingError(error.code, `${source}: ${error.message} (${id})`, { ...error.details, id }, { cause: error })
  }
  if (resource.isDeleted) return
  if (!changes.kind) resource.node['kind'] = kind
  if (!changes.name) resource.name = name
  resource.namespace = namespace
}

/** The operations of a JSON patch; undefined where the text is none. */
export function readOperations(text: string): unknown[] | undefined {
  if (text === '') return undefined
  const value = attempt(() => parseDocuments(stripLastBlock(text))[0]?.value)
  return Array.isArray(value) && value.every(isRecord) ? value : undefined
}

/** Applies the operations of a JSON patch to a resource. */
export function applyOperations(resource: Resource, operations: readonly unknown[], source: string): void {
  // Kustomize keeps what it remembers in annotations, so that there are some for a patch to add to.
  const marker = 'internal.config.kubernetes.io/previousNames'
  const isTracked = resource.isTracked
  if (isTracked) {
    const metadata = resource.metadata()
    const { annotations } = metadata
    if (isMap(annotations)) annotations[marker] = resource.name
    else metadata['annotations'] = newMap({ [marker]: resource.name })
  }
  try {
    const patched = fromJson(withDoubles(applyJsonPatch(toJson(resource.node), operations, { lenient: true })))
    if (!isMap(patched)) throw new LadingError('patch.invalid', 'nothing is left of the object')
    resource.node = patched
  } catch (error) {
    if (!isLadingError(error, 'patch.invalid')) throw error
    const id = formatId(resource.currentId())
    throw new LadingError(error.code, `${source}: ${error.message} (${id})`, { ...error.details, id }, { cause: error })
  }
  if (!isTracked) return
  const { [marker]: _, ...annotations } = resource.texts('annotations')
  resource.setTexts('annotations', annotations)
}

// A JSON patch takes the object through Go's JSON reader, to which every number is a double.
function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt(Number(value))
  if (Array.isArray(value)) return value.map(withDoubles)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]))
}

function attempt<T>(read: () => T): T | LadingError {
  try {
    return read()
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
}

function invalid(problem: string): LadingError {
  return new LadingError('kustomize.invalid', problem, { field: 'patches' })
}

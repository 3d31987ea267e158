import { isLadingError, LadingError } from '../../../core/index.ts'
import type { PatchArgs } from '../load/arguments.ts'
import type { Loader } from '../load/loader.ts'
import type { SchemaLookup } from '../merge/merge-schema.ts'
import { readResources } from '../resource/read-resources.ts'
import type { ResMap } from '../resource/res-map.ts'
import type { Resource } from '../resource/resource.ts'
import { selectResources } from '../select/select-resources.ts'
import { applyOperations, mergeById, readOperations } from './patch-resources.ts'

/** Applies `patchesStrategicMerge`: each entry is a patch, or the path of a file with patches. */
export function patchesStrategicMerge(
  resources: ResMap,
  entries: readonly string[],
  loader: Loader,
  lookup: SchemaLookup,
): void {
  for (const entry of entries) {
    mergeById(resources, readPatches(entry, loader), { name: false, kind: false }, lookup, 'patchesStrategicMerge')
    resources.dropDeleted()
  }
}

function readPatches(entry: string, loader: Loader): Resource[] {
  try {
    return readResources(entry, 'patchesStrategicMerge')
  } catch (error) {
    if (!isLadingError(error)) throw error
    return readResources(loader.loadText(entry), entry)
  }
}

/** Applies one entry of `patchesJson6902`. */
export function patchJson6902(resources: ResMap, args: PatchArgs, loader: Loader): void {
  const field = 'patchesJson6902'
  const problem = (text: string) => new LadingError('kustomize.invalid', `${field}: ${text}`, { field })
  if (args.target === undefined || args.target.name === '') throw problem('must specify the target name')
  if (args.path === '' && args.patch === '') throw problem('an entry needs one of patch and path')
  if (args.path !== '' && args.patch !== '') throw problem('must specify a file path or a patch, not both')
  const operations = readOperations(args.path === '' ? args.patch : loader.loadText(args.path))
  const source = args.path === '' ? `${field}: the inline patch` : `${field}: ${args.path}`
  if (operations === undefined) throw new LadingError('patch.invalid', `${source} is no JSON patch`, { field })
  if (operations.length === 0) throw new LadingError('patch.invalid', `${source} is empty`, { field })
  for (const resource of selectResources(resources.resources, args.target, `${field}.target`)) {
    applyOperations(resource, operations, source)
  }
  resources.changed()
}

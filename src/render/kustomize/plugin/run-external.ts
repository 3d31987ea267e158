import { isDeepStrictEqual } from 'node:util'
import { defined, isLadingError, LadingError } from '../../../core/index.ts'
import { Accumulator } from '../accumulator.ts'
import { mergeGenerated } from '../generate/merge-generated.ts'
import { joinOrigin, type Origin } from '../resource/origin.ts'
import { readResources } from '../resource/read-resources.ts'
import { formatId } from '../resource/res-id.ts'
import type { ResMap } from '../resource/res-map.ts'
import type { Resource } from '../resource/resource.ts'
import type { Target } from '../target.ts'
import { finishTransformer } from '../transform/finish-transformer.ts'
import { toJson } from '../yaml/value.ts'
import { builtinGenerators } from './builtin-generators.ts'
import { builtinTransformers } from './builtin-transformers.ts'

type PluginField = 'generators' | 'transformers' | 'validators'

/** Adds what files and folders hold. */
type Gather = (into: Accumulator, paths: readonly string[], field: string) => void

/** Runs the generators, transformers or validators that are given as configurations of built-in plugins. */
export function runExternal(target: Target, accumulator: Accumulator, field: PluginField, gather: Gather): void {
  const entries = target.kustomization[field]
  if (entries.length === 0) return
  for (const config of readConfigs(target, entries, field, gather)) {
    const origin = originOf(config)
    refuseForeign(config, field)
    if (field === 'generators') generate(target, accumulator.resources, config, origin)
    else if (field === 'transformers') transform(target, accumulator.resources, config, origin, field)
    else validate(target, accumulator.resources, config)
  }
}

/** An entry is a configuration, or the path of a file or folder that holds some. */
function readConfigs(
  target: Target,
  entries: readonly string[],
  field: PluginField,
  gather: Gather,
): readonly Resource[] {
  const configs = new Accumulator()
  const paths: string[] = []
  for (const entry of entries) {
    const inline = readInline(entry)
    if (inline === undefined) paths.push(entry)
    else {
      for (const each of inline) {
        if (target.build.tracksOrigin) each.origin = joinOrigin(target.place, target.kustomization.fileName)
      }
      configs.resources.appendAll(inline)
    }
  }
  gather(configs, paths, field)
  return configs.resources.resources
}

function readInline(entry: string): Resource[] | undefined {
  try {
    return readResources(entry, 'inline')
  } catch (error) {
    if (isLadingError(error)) return undefined
    throw error
  }
}

function refuseForeign(config: Resource, field: PluginField): void {
  const annotations = config.texts('annotations')
  const isFunction =
    annotations['config.kubernetes.io/function'] !== undefined || annotations['config.k8s.io/function'] !== undefined
  if (config.apiVersion === 'builtin' && !isFunction) return
  const what = isFunction ? 'a container or exec function' : 'an external plugin'
  const problem = `${field}: ${formatId(config.currentId())} is ${what}, and a build runs no programs: only built-in plugins are allowed`
  throw new LadingError('kustomize.refused', problem, { field, plugin: formatId(config.currentId()) })
}

function generate(target: Target, resources: ResMap, config: Resource, origin: Origin | undefined): void {
  const generator = builtinGenerators.get(config.kind)
  if (generator === undefined) throw unknownPlugin(config, 'generators')
  for (const resource of generator(toJson(config.node), target)) {
    if (origin !== undefined) resource.origin ??= origin
    mergeGenerated(resources, resource)
  }
}

function transform(
  target: Target,
  resources: ResMap,
  config: Resource,
  origin: Origin | undefined,
  field: PluginField,
): void {
  const transformer = builtinTransformers.get(config.kind)
  if (transformer === undefined) throw unknownPlugin(config, field)
  transformer(resources, toJson(config.node), target)
  finishTransformer(resources, origin)
}

function validate(target: Target, resources: ResMap, config: Resource): void {
  const before = resources.resources.map((each) => toJson(each.node))
  transform(target, resources, config, undefined, 'validators')
  const after = resources.resources.map((each) => toJson(each.node))
  if (isDeepStrictEqual(before, after)) return
  const problem = `validators: ${formatId(config.currentId())} shouldn't modify the resource map`
  throw new LadingError('kustomize.invalid', problem, { field: 'validators' })
}

function originOf(config: Resource): Origin | undefined {
  if (config.origin?.path === undefined) return undefined
  const { apiVersion, kind, name, namespace } = config
  const { path, repo, ref } = config.origin
  return {
    ...defined({ repo, ref }),
    configuredIn: path,
    configuredBy: { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) },
  }
}

function unknownPlugin(config: Resource, field: PluginField): LadingError {
  return new LadingError('kustomize.invalid', `${field}: there is no built-in plugin of kind ${config.kind}`, { field })
}

import { isLadingError, LadingError } from '../../core/index.ts'
import { Accumulator } from './accumulator.ts'
import { loadConfigurations } from './config/load-configurations.ts'
import { loadCrdConfigs } from './config/load-crds.ts'
import { loadKustomization } from './load/kustomization.ts'
import type { Loader } from './load/loader.ts'
import { isRemote, parseRemote } from './load/parse-remote.ts'
import { refuseRemote } from './load/remote.ts'
import { useOpenApi } from './merge/openapi-schema.ts'
import { runExternal } from './plugin/run-external.ts'
import { joinOrigin, type OriginPlace } from './resource/origin.ts'
import { readResources } from './resource/read-resources.ts'
import { runGenerators } from './run-generators.ts'
import { runTransformers } from './run-transformers.ts'
import type { Target } from './target.ts'
import { bindVars } from './transform/references/resolve-vars.ts'

const maxKustomizations = 5000

/** Gathers and changes the resources of a kustomization; references and vars are left for the end of the build. */
export function accumulateTarget(target: Target, accumulator: Accumulator): void {
  const { kustomization, loader, build } = target
  loader.announce([...kustomization.resources, ...kustomization.components])
  accumulateResources(target, accumulator, kustomization.resources, 'resources')
  accumulator.mergeConfig(loadConfigurations(loader, kustomization.configurations, build.defaults))
  accumulator.mergeConfig(loadCrdConfigs(loader, kustomization.crds))
  const gather = (into: Accumulator, paths: readonly string[], field: string): void =>
    accumulateResources(target, into, paths, field)
  runGenerators(target, accumulator)
  runExternal(target, accumulator, 'generators', gather)
  for (const path of kustomization.components) {
    inFolder(target, path, (child) => {
      if (child.kustomization.kind !== 'Component') {
        throw wrongKind(`expected kind 'Component' for path '${path}' but got '${child.kustomization.kind}'`, path)
      }
      accumulateTarget(child, accumulator)
    })
  }
  runTransformers(target, accumulator)
  runExternal(target, accumulator, 'transformers', gather)
  runExternal(target, accumulator, 'validators', gather)
  bindVars(accumulator, kustomization.vars)
}

/** Adds what files and folders hold; a folder is a kustomization of its own. */
function accumulateResources(target: Target, accumulator: Accumulator, paths: readonly string[], field: string): void {
  for (const path of paths) {
    if (isRemote(path) && target.loader.settings.remote === undefined) throw refuseRemote(path)
    if (isFolder(target.loader, path)) accumulateFolder(target, accumulator, path)
    else accumulateFile(target, accumulator, path, field)
  }
}

function accumulateFile(target: Target, accumulator: Accumulator, path: string, field: string): void {
  const { build, loader, place } = target
  try {
    const resources = readResources(loader.loadText(path), path)
    if (build.tracksOrigin) {
      for (const resource of resources) resource.origin = joinOrigin(place, path)
    }
    accumulator.resources.appendAll(resources)
  } catch (error) {
    if (!isLadingError(error)) throw error
    const problem = `${field}: accumulating '${path}': ${error.message}`
    throw new LadingError(error.code, problem, { field, ...error.details }, { cause: error })
  }
}

function accumulateFolder(target: Target, accumulator: Accumulator, path: string): void {
  inFolder(target, path, (child) => {
    if (child.kustomization.kind === 'Component')
      throw wrongKind(`expected kind != 'Component' for path '${path}'`, path)
    const own = new Accumulator()
    accumulateTarget(child, own)
    accumulator.merge(own)
  })
}

/** Runs something for the kustomization of another folder; its errors carry the trail that led there. */
function inFolder(target: Target, path: string, run: (child: Target) => void): void {
  const loader = target.loader.enter(path)
  if (++target.build.entered > maxKustomizations) {
    const problem = `the build comes to more than ${maxKustomizations} kustomizations`
    throw new LadingError('kustomize.invalid', problem, { path, trail: loader.trail() })
  }
  try {
    const kustomization = loadKustomization(loader)
    const child: Target = {
      build: target.build,
      loader,
      kustomization,
      place: isRemote(path) ? remotePlace(loader) : joinOrigin(target.place, path),
      helmNamespace: target.kustomization.namespace === '' ? target.helmNamespace : target.kustomization.namespace,
    }
    useOpenApi(child)
    run(child)
  } catch (error) {
    if (!isLadingError(error) || error.details.trail !== undefined) throw error
    const trail = loader.trail()
    const message = `${error.message} (reached by ${trail.join(' → ')})`
    throw new LadingError(error.code, message, { ...error.details, trail }, { cause: error })
  }
}

function remotePlace({ root, settings }: Loader): OriginPlace {
  const { url, ref } = settings.remoteBase ?? { url: '', ref: '' }
  return { path: root.slice(1), repo: url, ...(ref === '' ? {} : { ref }) }
}

function isFolder(loader: Loader, path: string): boolean {
  if (path === '' || path.startsWith('/')) return false
  if (isRemote(path)) return parseRemote(path).type === 'folder'
  return loader.kindOf(path) === 'folder'
}

function wrongKind(problem: string, path: string): LadingError {
  return new LadingError('kustomize.invalid', problem, { field: 'kind', path })
}

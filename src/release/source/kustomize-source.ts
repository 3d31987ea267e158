import { basename, parse, resolve } from 'node:path'
import { type Context, LadingError } from '../../core/index.ts'
import {
  type BuiltKustomization,
  buildWithRemotes,
  folderTree,
  type InflateChart,
} from '../../render/kustomize/index.ts'
import { composeValues } from '../values/compose-values.ts'
import { type RenderWorld, renderWorld } from './render-world.ts'
import type { Source, SourceOptions } from './source.ts'
import { sourceDigest } from './source-digest.ts'

/** A folder with a kustomization as a source. Bases may stand beside it; each reads only the files below its own folder. */
export function kustomizeSource(path: string, options: SourceOptions): Source {
  const folder = resolve(path)
  let built: BuiltKustomization | undefined
  return {
    async render(input, ctx) {
      built ??= await build(folder, options, input.world ?? renderWorld(), ctx)
      const { objects, remotes } = built
      const { files = [], set = [] } = input.values ?? {}
      if (files.length + set.length > 0)
        ctx.log.warn('a kustomization does not use values: they are only recorded', { path })
      const info = {
        type: 'kustomize',
        name: basename(folder),
        origin: path,
        digest: sourceDigest(objects),
        ...(remotes.length === 0 ? {} : { remotes }),
      } as const
      return { objects, info, values: composeValues(input.values ?? {}) }
    },
  }
}

// Loaded only where it is asked for: few kustomizations inflate charts.
async function helmEngine(world: RenderWorld): Promise<InflateChart> {
  const { inflateRequest } = await import('../../render/helm/index.ts')
  // One generator for all charts of the kustomization: two of them never draw the same.
  const environment = world.begin()
  return (request) => inflateRequest(request, environment)
}

async function build(
  folder: string,
  options: SourceOptions,
  world: RenderWorld,
  ctx: Context,
): Promise<BuiltKustomization> {
  const { enableHelm = false, remote, openRemote } = options
  const helm = enableHelm ? { enableHelm, inflateChart: await helmEngine(world) } : {}
  const fetchRemote = remote === undefined ? undefined : await openRemote?.(remote)
  const built = await buildWithRemotes(folderTree(parse(folder).root), folder, helm, fetchRemote, ctx)
  if (built.objects.length === 0)
    throw new LadingError('source.empty', `${folder} holds no objects`, { source: folder })
  return built
}

import { basename, parse, resolve } from 'node:path'
import { type Context, defined, LadingError } from '../../core/index.ts'
import { type BuiltKustomization, buildWithRemotes, folderTree } from '../../render/kustomize/index.ts'
import { composeValues } from '../values/compose-values.ts'
import { renderWorld } from '../../render/world/index.ts'
import type { RenderInput, Source, SourceOptions } from './source.ts'
import { sourceDigest } from './source-digest.ts'

/** A folder with a kustomization as a source. Bases may stand beside it; each reads only the files below its own folder. */
export function kustomizeSource(path: string, options: SourceOptions): Source {
  const folder = resolve(path)
  let built: BuiltKustomization | undefined
  return {
    async render(input, ctx) {
      built ??= await build(folder, options, input, ctx)
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

async function build(
  folder: string,
  options: SourceOptions,
  { world = renderWorld(), inlineMs }: RenderInput,
  ctx: Context,
): Promise<BuiltKustomization> {
  const { enableHelm = false, remote, openRemote } = options
  // Loaded only where it is asked for: few kustomizations inflate charts.
  const engine = enableHelm ? (await import('../../render/helm/index.ts')).helmEngine : undefined
  const fetchRemote = remote === undefined ? undefined : await openRemote?.(remote)
  const how = { seed: world.seed, inlineMs, ...defined({ engine }) }
  const built = await buildWithRemotes(folderTree(parse(folder).root), folder, how, fetchRemote, ctx)
  world.noteUsed(built.used)
  if (built.objects.length === 0)
    throw new LadingError('source.empty', `${folder} holds no objects`, { source: folder })
  return built
}

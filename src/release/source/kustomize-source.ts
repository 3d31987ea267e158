import { basename, parse, resolve } from 'node:path'
import { type KubeObject, LadingError } from '../../core/index.ts'
import { buildKustomization, folderTree } from '../../render/kustomize/index.ts'
import { composeValues } from '../values/compose-values.ts'
import type { Source } from './source.ts'
import { sourceDigest } from './source-digest.ts'

/** A folder with a kustomization as a source. Bases may stand beside it; each reads only the files below its own folder. */
export function kustomizeSource(path: string): Source {
  const folder = resolve(path)
  let objects: readonly KubeObject[] | undefined
  return {
    render(input, ctx) {
      objects ??= build(folder)
      const { files = [], set = [] } = input.values ?? {}
      if (files.length + set.length > 0)
        ctx.log.warn('a kustomization does not use values: they are only recorded', { path })
      const info = { type: 'kustomize', name: basename(folder), origin: path, digest: sourceDigest(objects) } as const
      return Promise.resolve({ objects, info, values: composeValues(input.values ?? {}) })
    },
  }
}

function build(folder: string): KubeObject[] {
  const objects = buildKustomization(folderTree(parse(folder).root), folder)
  if (objects.length === 0) throw new LadingError('source.empty', `${folder} holds no objects`, { source: folder })
  return objects
}

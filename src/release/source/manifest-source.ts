import { basename, resolve } from 'node:path'
import { type Context, type KubeObject, LadingError } from '../../core/index.ts'
import { readManifest } from '../../render/manifest/index.ts'
import type { SourceInfo } from '../record/record.ts'
import { composeValues } from '../values/compose-values.ts'
import type { Source, SourceOptions } from './source.ts'
import { sourceDigest } from './source-digest.ts'

/** A manifest as a source: a file, a folder, or `-` for standard input. It is read once, however often it is rendered. */
export function manifestSource(path: string, options: SourceOptions): Source {
  let objects: readonly KubeObject[] | undefined
  return {
    async render(input, ctx) {
      objects ??= await readObjects(path, options, ctx)
      const { files = [], set = [] } = input.values ?? {}
      if (files.length + set.length > 0)
        ctx.log.warn('a manifest does not use values: they are only recorded', { path })
      return { objects, info: infoOf(path, objects), values: composeValues(input.values ?? {}) }
    },
  }
}

async function readObjects(path: string, options: SourceOptions, ctx: Context): Promise<KubeObject[]> {
  const objects = await readManifest(path, options, ctx)
  // An upgrade to nothing would delete everything: more often it is a pipe whose first command failed.
  if (objects.length === 0) {
    const name = path === '-' ? 'standard input' : path
    throw new LadingError('source.empty', `${name} holds no objects`, { source: path })
  }
  return objects
}

function infoOf(path: string, objects: readonly KubeObject[]): SourceInfo {
  const name = path === '-' ? 'stdin' : basename(resolve(path)).replace(/\.(?:ya?ml|json)$/, '')
  return { type: 'manifest', name, origin: path, digest: sourceDigest(objects) }
}

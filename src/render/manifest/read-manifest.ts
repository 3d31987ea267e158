import { type Context, formatRef, type KubeObject, LadingError, objectId, refOf } from '../../core/index.ts'
import { decodeText, type PlacedObject, readPlacedObjects } from '../../core/yaml/index.ts'
import { listManifestFiles } from './list-files.ts'
import { type ByteSource, readFileBytes, readStreamBytes } from './read-bytes.ts'

/** Where objects come from: a file, a folder, `-` for standard input, text that is at hand, or several of these. */
export type ManifestSource = string | { readonly text: string; readonly name?: string } | readonly ManifestSource[]

/** How a manifest is read. */
export interface ManifestOptions {
  /** Goes into the folders of a folder too. */
  readonly recursive?: boolean
  /** What `-` reads; without it `-` is refused. */
  readonly stdin?: ByteSource
  /** The most bytes read in all (default: 256 Mi). */
  readonly maxBytes?: number
}

const defaultMaxBytes = 256 * 1024 * 1024

/** Reads all objects of a manifest, in order; an object that is there twice is refused with both places. */
export async function readManifest(
  source: ManifestSource,
  options: ManifestOptions,
  ctx: Context,
): Promise<KubeObject[]> {
  const budget = { left: options.maxBytes ?? defaultMaxBytes, maxBytes: options.maxBytes ?? defaultMaxBytes }
  const placed: PlacedObject[] = []
  for await (const { text, file } of textsOf(source, options, budget, ctx)) {
    for (const each of readPlacedObjects(text, { file })) placed.push(each)
  }
  refuseDuplicates(placed)
  ctx.log.debug('manifest read', { objects: placed.length })
  return placed.map(({ object }) => object)
}

interface Budget {
  left: number
  readonly maxBytes: number
}

async function* textsOf(
  source: ManifestSource,
  options: ManifestOptions,
  budget: Budget,
  ctx: Context,
): AsyncGenerator<{ text: string; file: string }> {
  if (typeof source === 'string') {
    if (source === '-') {
      if (options.stdin === undefined) throw new LadingError('usage.invalid', '- needs a standard input to read')
      const bytes = await readStreamBytes(options.stdin, 'stdin', budget, ctx)
      yield { text: decodeText(bytes, 'stdin'), file: 'stdin' }
      return
    }
    for (const file of await listManifestFiles(source, options.recursive ?? false, ctx)) {
      yield { text: decodeText(await readFileBytes(file, budget, ctx), file), file }
    }
  } else if ('text' in source) {
    yield { text: source.text, file: source.name ?? 'input' }
  } else {
    for (const each of source) yield* textsOf(each, options, budget, ctx)
  }
}

function refuseDuplicates(placed: readonly PlacedObject[]): void {
  const seen = new Map<string, PlacedObject>()
  for (const each of placed) {
    // Objects with generateName are new ones each time.
    if (each.object.metadata.name === undefined) continue
    const ref = refOf(each.object)
    const id = objectId(ref)
    const first = seen.get(id)
    if (first !== undefined) {
      const places = [first.place, each.place]
      const where = places.map(({ file, line }) => `${file}:${line}`).join(' and ')
      throw new LadingError('object.duplicate', `${formatRef(ref)} is defined twice: ${where}`, { id, places })
    }
    seen.set(id, each)
  }
}

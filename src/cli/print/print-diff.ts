import type { ObjectDiff } from '../../release/index.ts'
import { paint } from './colour.ts'
import type { Io } from '../io.ts'
import type { OutputFormat } from '../options/options.ts'
import { printDocument } from './print-data.ts'

/** Prints what differs: nothing at all, for a person, where nothing does. */
export async function printDiff(
  io: Io,
  { output, unchanged = false }: { readonly output: OutputFormat; readonly unchanged?: boolean },
  data: unknown,
  objects: readonly ObjectDiff[],
): Promise<void> {
  await printDocument(io, output, data, async () => {
    const { formatDiff } = await import('../../release/index.ts')
    return formatDiff(objects, { unchanged, colour: paint(io.stdout, io.env) })
  })
}

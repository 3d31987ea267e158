import type { Context } from '../../core/index.ts'
import type { Io } from '../io.ts'
import { type ContentFlags, contentInputs } from './release-options.ts'

/** The values that flags give, without those of any chart. */
export async function lintedValues(
  io: Io,
  flags: ContentFlags,
  ctx: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const { composeValues, readValues } = await import('../../release/index.ts')
  return composeValues(await readValues(contentInputs(io, '', flags), io, ctx)).userValues
}

import { basename } from 'node:path'
import { type Context, isLadingError, LadingError, readGivenFile } from '../../../core/index.ts'
import { verifyProvenance } from '../../../render/helm/index.ts'
import { maxChartBytes } from './open-chart.ts'

/** Verifies that a key of the keyring signed the archive of a chart, by the provenance file `.prov` beside it. */
export async function verifyChart(path: string, keyring: Uint8Array, ctx: Context) {
  return verifyProvenance(await read(path, ctx), await read(`${path}.prov`, ctx), basename(path), keyring)
}

async function read(file: string, { signal }: Context): Promise<Uint8Array> {
  try {
    return await readGivenFile(file, { maxBytes: maxChartBytes, signal })
  } catch (error) {
    if (isLadingError(error)) throw error
    throw new LadingError('file.not-found', `${file} cannot be read`, { file }, { cause: error })
  }
}

import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LadingError, writeError } from '../../../core/index.ts'

/** Writes a file so that others see the old one or the new one, whole; never through a link. */
export async function writeAtomically(path: string, data: Uint8Array | string, mode = 0o644): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile()) {
    const what = found.isSymbolicLink() ? 'is a link' : 'is no file'
    throw new LadingError('chart.refused', `${path} ${what}: it is not written through`, { file: path })
  }
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, data, { flag: 'wx', mode })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw writeError(path, error)
  }
}

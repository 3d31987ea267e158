import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newSeed, writeError } from '../../core/index.ts'

/** Replaces a file in one step, readable by its owner alone even where it was not before; a link there is replaced, not followed. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${newSeed().slice(0, 32)}`)
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw writeError(path, error)
  }
}

import { lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newSeed, writeError } from '../../core/index.ts'

/**
 * Replaces a file in one step, readable by its owner alone even where it was not before; a link to a file is replaced, not followed. A device or
 * pipe, such as `/dev/stdout`, is written to: replacing it would take it from everybody.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${newSeed().slice(0, 32)}`)
  try {
    if (await isStream(path)) return await writeFile(path, text, { flag: 'a' })
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw writeError(path, error)
  }
}

/** A device or pipe, or a link by which the system names an open file: `/dev/stdout`, `/dev/fd/3`. */
async function isStream(path: string): Promise<boolean> {
  const [found, link] = await Promise.all([stat(path), lstat(path)]).catch(() => [])
  if (found === undefined || link === undefined || found.isDirectory()) return false
  if (!found.isFile()) return true
  return link.isSymbolicLink() && /^\/(?:dev|proc)(?:\/|$)/.test(await realpath(dirname(path)))
}

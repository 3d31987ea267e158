import { mkdir, open, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { isLadingError, LadingError, writeError } from '../../core/index.ts'

/** A file that is to be there. */
export interface NewFile {
  readonly content: Uint8Array
  /** The mode of the file (default: 0644); nobody but its owner may write to it. */
  readonly mode?: number
}

/**
 * Writes new files only: nothing that is there is touched, and no link is followed out of the folder. Where one cannot be written, none
 * is left, and no folder that was made for them.
 */
export async function writeNewFiles(folder: string, files: ReadonlyMap<string, NewFile>): Promise<void> {
  const made: string[] = []
  const write = async (path: string, { content, mode = 0o644 }: NewFile): Promise<void> => {
    await using file = await open(path, 'wx', mode & 0o755)
    made.push(path)
    await file.writeFile(content)
  }
  try {
    await writeBelow(folder, files, write, made)
  } catch (error) {
    for (const path of made.toReversed()) await rm(path).catch(() => rmdir(path).catch(() => undefined))
    throw error
  }
}

/**
 * Writes files below a folder, which is made where it is missing; no link is followed out of it, not even by making folders. Those that
 * it makes are added to `made`.
 */
export async function writeBelow<Data>(
  folder: string,
  files: ReadonlyMap<string, Data>,
  write: (path: string, data: Data) => Promise<void>,
  made: string[] = [],
): Promise<void> {
  let path = folder
  try {
    made.push(...(await makeFolder(folder)))
    const root = await realpath(folder)
    for (const [name, data] of files) {
      path = join(root, name)
      await checkInside(root, dirname(path))
      made.push(...(await makeFolder(dirname(path))))
      await write(path, data)
    }
  } catch (error) {
    if (isLadingError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw writeError(path, error)
    throw new LadingError('file.unreadable', `${path} exists already`, { file: path }, { cause: error })
  }
}

/** Makes a folder with those around it; gives the ones that were missing, from the outside in. */
async function makeFolder(folder: string): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true })
  const made: string[] = []
  if (first === undefined) return made
  for (let at = resolve(folder); at.length >= first.length; at = dirname(at)) made.unshift(at)
  return made
}

/** Refuses a folder that lies elsewhere, or would once it was made. */
async function checkInside(root: string, folder: string): Promise<void> {
  let real: string | undefined
  for (let at = folder; real === undefined && at !== root; at = dirname(at)) {
    real = await realpath(at).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    })
  }
  if (real === undefined || real === root || real.startsWith(root + sep)) return
  const problem = `${folder} would be written through a link that leads out of ${root}`
  throw new LadingError('archive.refused', problem, { file: folder })
}

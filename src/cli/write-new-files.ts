import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isLadingError, LadingError } from '../core/index.ts'

/** Writes new files only: nothing that is there is touched, and no link is followed out of the folder. */
export async function writeNewFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await writeBelow(folder, files, (path, data) => writeFile(path, data, { flag: 'wx' }))
}

/** Writes files below a folder, which is made where it is missing; no link is followed out of it, not even by making folders. */
export async function writeBelow<Data>(
  folder: string,
  files: ReadonlyMap<string, Data>,
  write: (path: string, data: Data) => Promise<void>,
): Promise<void> {
  let path = folder
  try {
    await mkdir(folder, { recursive: true })
    const root = await realpath(folder)
    for (const [name, data] of files) {
      path = join(root, name)
      await checkInside(root, dirname(path))
      await mkdir(dirname(path), { recursive: true })
      await write(path, data)
    }
  } catch (error) {
    if (isLadingError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    const problem = code === 'EEXIST' ? `${path} exists already` : `${path} cannot be written (${code ?? 'unknown'})`
    throw new LadingError('file.unreadable', problem, { file: path }, { cause: error })
  }
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

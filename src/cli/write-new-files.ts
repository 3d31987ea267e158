import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { LadingError } from '../core/index.ts'

/** Writes new files only: nothing that is there is touched, and no link is followed out of the folder. */
export async function writeNewFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  for (const [name, data] of files) {
    const path = join(root, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      const real = await realpath(dirname(path))
      if (real !== root && !real.startsWith(root + sep)) throw outside(path)
      await writeFile(path, data, { flag: 'wx' })
    } catch (error) {
      if (error instanceof LadingError) throw error
      const { code } = error as NodeJS.ErrnoException
      const problem = code === 'EEXIST' ? `${path} exists already` : `${path} cannot be written (${code ?? 'unknown'})`
      throw new LadingError('file.unreadable', problem, { file: path }, { cause: error })
    }
  }
}

function outside(path: string): LadingError {
  return new LadingError('archive.refused', `${path} would be written through a link that leads out of the folder`, {
    file: path,
  })
}

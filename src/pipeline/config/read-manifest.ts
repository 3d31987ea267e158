import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import { isLadingError, LadingError, readGivenFile } from '../../core/index.ts'

/** Text with a line end or a colon is the manifest itself; anything else is the path of one. */
export function isInline(text: string): boolean {
  return /[\n:{]/.test(text)
}

/** Reads the manifest file of a component, which cannot be outside of the component's folder. */
export async function readManifest(path: string, folder: string): Promise<string> {
  return readText(await inside(folder, resolve(folder, path), path, 'manifest'))
}

/** A path of the component, which may not lead out of its folder, not even through a symlink. */
export async function inside(root: string, found: string, path: string, field: string): Promise<string> {
  // What does not exist is told by who reads it.
  const [top, real] = await Promise.all([root, found].map((each) => realpath(each).catch(() => undefined)))
  if (isAbsolute(path) || !isBelow(found, root) || (real !== undefined && !isBelow(real, top ?? root))) {
    throw new LadingError('config.invalid', `${field} leads out of the component's folder: ${path}`, { field, path })
  }
  return found
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root + sep)
}

async function readText(path: string): Promise<string> {
  try {
    if (!(await stat(path)).isFile()) throw new LadingError('file.unreadable', `${path} is no file`, { file: path })
    return (await readGivenFile(path, { maxBytes: 64 * 1024 * 1024 })).toString('utf8')
  } catch (error) {
    if (isLadingError(error)) throw error
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const problem = missing ? `${path} does not exist` : `${path} cannot be read`
    throw new LadingError(missing ? 'file.not-found' : 'file.unreadable', problem, { file: path }, { cause: error })
  }
}

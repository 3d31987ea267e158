import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Context, isLadingError, LadingError } from '../../core/index.ts'
import { fileError } from './file-error.ts'

const manifestName = /\.(?:ya?ml|json)$/

/**
 * The manifest files that a path stands for, in the order of their names: itself, or what a folder holds. Names with a dot in
 * front are left out; links lead to files inside of the folder only, and each file is there once.
 */
export async function listManifestFiles(path: string, recursive: boolean, ctx: Context): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const files: string[] = []
    await collect({ path, root: await realpath(path), recursive, seen: new Set(), files }, path, ctx)
    return files
  } catch (error) {
    throw isLadingError(error) ? error : fileError(error, path, ctx)
  }
}

interface Walk {
  readonly path: string
  readonly root: string
  readonly recursive: boolean
  readonly seen: Set<string>
  readonly files: string[]
}

async function collect(walk: Walk, folder: string, ctx: Context): Promise<void> {
  ctx.signal.throwIfAborted()
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (walk.recursive) await collect(walk, path, ctx)
    } else if (manifestName.test(entry.name)) {
      await addFile(walk, entry, path, ctx)
    }
  }
}

async function addFile(walk: Walk, entry: Dirent, path: string, ctx: Context): Promise<void> {
  const target = await realpath(path).catch((error: unknown) => {
    throw fileError(error, path, ctx)
  })
  const inside = relative(walk.root, target)
  if (inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep)) {
    throw new LadingError('file.unreadable', `${path} is a link that leads out of ${walk.path}`, { file: path })
  }
  if (entry.isSymbolicLink() && (await stat(target)).isDirectory()) return
  if (!(await stat(target)).isFile()) {
    throw new LadingError('file.unreadable', `${path} is no regular file`, { file: path })
  }
  if (walk.seen.has(target)) return
  walk.seen.add(target)
  walk.files.push(path)
}

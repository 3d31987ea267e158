import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { LadingError } from '../../../core/index.ts'
import { demandSize, type FileTree } from './file-tree.ts'

/** A real folder as a tree: links are followed inside of it and refused where they lead out. */
export function folderTree(root: string): FileTree {
  const realRoot = realPath(root)
  if (realRoot === undefined) throw new LadingError('file.not-found', `there is no folder ${root}`, { file: root })
  return {
    resolve(path) {
      const real = realPath(join(realRoot, path))
      if (real === undefined) return undefined
      const inside = relative(realRoot, real)
      if (inside === '..' || inside.startsWith(`..${sep}`)) {
        throw new LadingError('kustomize.refused', `${path} is a link that leads out of ${root}`, { file: path })
      }
      const entry = statSync(real)
      if (!entry.isFile() && !entry.isDirectory()) {
        throw new LadingError('file.unreadable', `${path} is no regular file`, { file: path })
      }
      return { path: `/${inside.split(sep).join('/')}`, kind: entry.isFile() ? 'file' : 'folder' }
    },
    list: (path) => readdirSync(join(realRoot, path)).sort(),
    read(path) {
      const file = join(realRoot, path)
      const { size } = statSync(file)
      // Looked at before, because reading is what a limit is there to prevent.
      demandSize(path, size)
      return readFileSync(file)
    },
    plain: () => ({ type: 'folder', root }),
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    const why = code === 'ELOOP' ? 'is a link that leads to itself' : 'cannot be read'
    throw new LadingError('file.unreadable', `${path} ${why}`, { file: path }, { cause: error })
  }
}

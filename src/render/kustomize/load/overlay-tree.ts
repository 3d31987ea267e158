import { dirname } from 'node:path/posix'
import type { FileTree } from './file-tree.ts'
import { plainTree } from './plain-tree.ts'

/** A tree with some files, by absolute paths, in place of its own or beside them; their folders are there too. */
export function overlayTree(base: FileTree, files: ReadonlyMap<string, Uint8Array>): FileTree {
  const namesIn = (folder: string): string[] =>
    [...files.keys()].filter((file) => dirname(file) === folder).map((file) => file.slice(file.lastIndexOf('/') + 1))
  const isOwnFolder = (path: string): boolean => namesIn(path).length > 0
  return {
    resolve(path) {
      if (files.has(path)) return { path, kind: 'file' }
      return base.resolve(path) ?? (isOwnFolder(path) ? { path, kind: 'folder' } : undefined)
    },
    list: (path) =>
      [...new Set([...(base.resolve(path) === undefined ? [] : base.list(path)), ...namesIn(path)])].sort(),
    read: (path) => files.get(path) ?? base.read(path),
    plain: () => ({ type: 'overlay', base: plainTree(base), files }),
  }
}

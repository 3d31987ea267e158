import { LadingError } from '../../../core/index.ts'
import type { FileTree, PlainTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'
import { overlayTree } from './overlay-tree.ts'

/** The tree that `plainTree` made data of. */
export function openTree(plain: PlainTree): FileTree {
  switch (plain.type) {
    case 'folder':
      return folderTree(plain.root)
    case 'overlay':
      return overlayTree(openTree(plain.base), plain.files)
    case 'files':
      return openFiles(plain)
  }
}

function openFiles({ files, folders, links, refused }: Extract<PlainTree, { type: 'files' }>): FileTree {
  const known = new Set(folders)
  const follow = (path: string): string => {
    let at = ''
    for (const name of path.split('/').filter((part) => part !== '')) {
      const next = `${at}/${name}`
      if (refused.has(next)) throw refused.get(next) as Error
      at = links.get(next) ?? next
    }
    return at === '' ? '/' : at
  }
  const read = (path: string): Uint8Array => {
    const content = files.get(path)
    if (content === undefined) throw new LadingError('file.not-found', `there is no ${path}`, { file: path })
    return content
  }
  return {
    resolve(asked) {
      const path = follow(asked)
      if (files.has(path)) return { path, kind: 'file' }
      return known.has(path) ? { path, kind: 'folder' } : undefined
    },
    list(path) {
      const start = path === '/' ? path : `${path}/`
      const all = [...files.keys(), ...folders, ...links.keys(), ...refused.keys()]
      const below = all.filter((each) => each !== '/' && each.startsWith(start)).map((each) => each.slice(start.length))
      return below.filter((name) => !name.includes('/')).sort()
    },
    read,
  }
}

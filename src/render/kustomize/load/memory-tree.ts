import { normalize } from 'node:path/posix'
import { LadingError } from '../../../core/index.ts'
import type { FileTree } from './file-tree.ts'

/** A tree of files in memory, by their paths: `{ 'base/kustomization.yaml': '…' }`. */
export function memoryTree(files: Readonly<Record<string, string | Uint8Array>>): FileTree {
  const contents = new Map<string, string | Uint8Array>()
  const folders = new Set(['/'])
  for (const [name, content] of Object.entries(files)) {
    const path = normalize(`/${name}`)
    contents.set(path, content)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  }
  return {
    resolve(path) {
      if (contents.has(path)) return { path, kind: 'file' }
      return folders.has(path) ? { path, kind: 'folder' } : undefined
    },
    list(path) {
      const start = path === '/' ? path : `${path}/`
      const below = [...contents.keys()].filter((each) => each.startsWith(start))
      return [...new Set(below.map((each) => each.slice(start.length).split('/')[0]!))].sort()
    },
    read(path) {
      const content = contents.get(path)
      if (content === undefined) throw new LadingError('file.not-found', `there is no file ${path}`, { file: path })
      return typeof content === 'string' ? Buffer.from(content) : content
    },
  }
}

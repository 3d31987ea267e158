import { join } from 'node:path/posix'
import { isLadingError } from '../../../core/index.ts'
import type { FileTree, PlainTree } from './file-tree.ts'

/** A tree as data; one that cannot be opened elsewhere by its name is read whole. */
export function plainTree(tree: FileTree): PlainTree {
  if (tree.plain !== undefined) return tree.plain()
  const found = { files: new Map<string, Uint8Array>(), folders: ['/'], links: new Map(), refused: new Map() }
  // Grows while it is walked through.
  for (const folder of found.folders) {
    for (const name of tree.list(folder)) readEntry(tree, join(folder, name), found)
  }
  return { type: 'files', ...found }
}

interface Found {
  readonly files: Map<string, Uint8Array>
  readonly folders: string[]
  readonly links: Map<string, string>
  readonly refused: Map<string, unknown>
}

function readEntry(tree: FileTree, path: string, { files, folders, links, refused }: Found): void {
  try {
    const entry = tree.resolve(path)
    if (entry === undefined) return
    if (entry.path !== path) links.set(path, entry.path)
    else if (entry.kind === 'folder') folders.push(path)
    else files.set(path, tree.read(path))
  } catch (error) {
    if (!isLadingError(error)) throw error
    refused.set(path, error)
  }
}

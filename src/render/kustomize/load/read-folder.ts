import { LadingError } from '../../../core/index.ts'
import { demandSize, type FileTree } from './file-tree.ts'

const maxFiles = 10_000
const maxBytes = 64 * 1024 * 1024
const maxDepth = 32

/** Reads every file in and below a folder, by its path from there; links are followed inside of the folder only. */
export function readFolder(tree: FileTree, folder: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  const walk = (path: string, prefix: string, depth: number): void => {
    if (depth > maxDepth) throw tooLarge(folder, `is nested deeper than ${maxDepth} folders`)
    for (const name of tree.list(path)) {
      const entry = tree.resolve(path === '/' ? `/${name}` : `${path}/${name}`)
      if (entry === undefined) continue
      if (!entry.path.startsWith(folder === '/' ? folder : `${folder}/`)) {
        throw new LadingError('kustomize.refused', `${path}/${name} is a link that leads out of ${folder}`, { folder })
      }
      if (entry.kind === 'folder') walk(entry.path, `${prefix}${name}/`, depth + 1)
      else {
        const content = tree.read(entry.path)
        demandSize(entry.path, content.length)
        bytes += content.length
        files.set(`${prefix}${name}`, content)
        if (files.size > maxFiles) throw tooLarge(folder, `holds more than ${maxFiles} files`)
        if (bytes > maxBytes) throw tooLarge(folder, `holds more than ${maxBytes} bytes`)
      }
    }
  }
  walk(folder, '', 0)
  return files
}

function tooLarge(folder: string, problem: string): LadingError {
  return new LadingError('input.too-large', `the folder ${folder} ${problem}`, { folder })
}

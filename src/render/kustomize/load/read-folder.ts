import { LadingError } from '../../../core/index.ts'
import { demandSize, type FileTree } from './file-tree.ts'

const maxFiles = 10_000
const maxBytes = 64 * 1024 * 1024
const maxDepth = 32

/** Reads every file in and below a folder, by its path from there; links may lead anywhere inside of `within`. */
export function readFolder(tree: FileTree, folder: string, within: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const open = new Set<string>()
  let bytes = 0
  const walk = (path: string, prefix: string, depth: number): void => {
    if (depth > maxDepth) throw tooLarge(folder, `is nested deeper than ${maxDepth} folders`)
    if (open.has(path)) throw refused(folder, `${prefix} is a link to a folder that contains it`)
    open.add(path)
    for (const name of tree.list(path)) {
      const entry = tree.resolve(path === '/' ? `/${name}` : `${path}/${name}`)
      if (entry === undefined) continue
      if (!entry.path.startsWith(within === '/' ? within : `${within}/`)) {
        throw refused(folder, `${path}/${name} is a link that leads out of ${within}`)
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
    open.delete(path)
  }
  walk(folder, '', 0)
  return files
}

function refused(folder: string, problem: string): LadingError {
  return new LadingError('kustomize.refused', problem, { folder })
}

function tooLarge(folder: string, problem: string): LadingError {
  return new LadingError('input.too-large', `the folder ${folder} ${problem}`, { folder })
}

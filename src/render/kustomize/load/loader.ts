import { normalize } from 'node:path/posix'
import { LadingError } from '../../../core/index.ts'
import { decodeText } from '../../../core/yaml/index.ts'
import { demandSize, type EntryKind, type FileTree } from './file-tree.ts'
import { readFolder } from './read-folder.ts'
import { isRemote, refuseRemote } from './remote.ts'

const maxDepth = 100

/** Which files a kustomization may read: those in and below its folder, or all of the tree. */
export type LoadRestrictor = 'rootOnly' | 'none'

/** What every folder of a build is loaded with. */
export interface LoadSettings {
  readonly tree: FileTree
  readonly restrictor: LoadRestrictor
  readonly allowRemote: readonly string[]
}

/** Reads what one kustomization refers to, relative to its folder. */
export class Loader {
  readonly root: string
  readonly settings: LoadSettings
  readonly #referrer: Loader | undefined
  readonly #depth: number

  private constructor(root: string, settings: LoadSettings, referrer: Loader | undefined, depth: number) {
    this.root = root
    this.settings = settings
    this.#referrer = referrer
    this.#depth = depth
  }

  static at(path: string, settings: LoadSettings): Loader {
    return new Loader(folderAt(normalize(`/${path}`), path, settings), settings, undefined, 1)
  }

  /** A loader for another folder; one that is being built already, or holds one that is, makes a cycle. */
  enter(path: string): Loader {
    if (path === '') throw new LadingError('kustomize.invalid', 'a path is empty')
    if (isRemote(path)) throw refuseRemote(path, this.settings.allowRemote)
    if (path.startsWith('/')) {
      throw new LadingError(
        'kustomize.refused',
        `the folder ${path} is absolute: folders are given relative to the kustomization`,
        { path },
      )
    }
    refuseAmbiguous(path)
    const root = folderAt(this.#join(path), path, this.settings)
    for (const visited of this.trail().reverse()) {
      if (isInside(visited, root)) {
        throw new LadingError('kustomize.invalid', `cycle detected: ${root} contains ${visited}, which refers to it`, {
          path: root,
        })
      }
    }
    if (this.#depth >= maxDepth) {
      throw new LadingError('kustomize.invalid', `kustomizations refer to each other more than ${maxDepth} levels deep`)
    }
    return new Loader(root, this.settings, this, this.#depth + 1)
  }

  /** The content of a file. */
  load(path: string): Uint8Array {
    if (isRemote(path)) throw refuseRemote(path, this.settings.allowRemote)
    const { tree, restrictor } = this.settings
    const entry = tree.resolve(path.startsWith('/') ? normalize(path) : this.#join(path))
    if (entry === undefined) {
      throw new LadingError('file.not-found', `there is no file ${path} in ${this.root}`, {
        file: path,
        folder: this.root,
      })
    }
    if (entry.kind === 'folder') {
      throw new LadingError('file.unreadable', `${path} in ${this.root} is a folder, not a file`, {
        file: path,
        folder: this.root,
      })
    }
    if (restrictor === 'rootOnly' && !isInside(entry.path, this.root)) {
      throw outside(entry.path, this.root)
    }
    const content = tree.read(entry.path)
    demandSize(entry.path, content.length)
    return content
  }

  /** Every file in and below a folder by its path from there, and where the folder is; undefined where there is none. */
  loadFolder(path: string): { root: string; files: Map<string, Uint8Array> } | undefined {
    const { tree, restrictor } = this.settings
    const entry = tree.resolve(trimmed(path.startsWith('/') ? normalize(path) : this.#join(path)))
    if (entry?.kind !== 'folder') return undefined
    if (restrictor === 'rootOnly' && !isInside(entry.path, this.root)) throw outside(entry.path, this.root)
    return { root: entry.path, files: readFolder(tree, entry.path, restrictor === 'none' ? '/' : this.root) }
  }

  /** What stands at a path, if anything. */
  kindOf(path: string): EntryKind | undefined {
    return this.settings.tree.resolve(trimmed(this.#join(path)))?.kind
  }

  /** The content of a text file. */
  loadText(path: string): string {
    return decodeText(this.load(path), path)
  }

  /** The trail of folders that led here, the first one first. */
  trail(): string[] {
    return [...(this.#referrer?.trail() ?? []), this.root]
  }

  #join(path: string): string {
    return normalize(`${this.root}/${path}`)
  }
}

function folderAt(absolute: string, path: string, { tree }: LoadSettings): string {
  const folder = trimmed(absolute)
  const entry = tree.resolve(folder)
  if (entry === undefined)
    throw new LadingError('file.not-found', `there is no folder ${path} (${folder})`, { file: folder })
  if (entry.kind === 'file')
    throw new LadingError('file.unreadable', `${path} is a file, not a folder`, { file: folder })
  return entry.path
}

// Two entries of a list that a wrong indentation made one, `../base - ../shared`, would lead to a folder that nobody meant.
function refuseAmbiguous(path: string): void {
  const strange = path.split('/').find((part) => part !== '..' && part.includes('..'))
  if (strange === undefined) return
  const problem = `path ${JSON.stringify(path)} is ambiguous: it would lead to ${JSON.stringify(normalize(path))}; check the indentation of the list that it stands in`
  throw new LadingError('kustomize.invalid', problem, { path })
}

function outside(path: string, root: string): LadingError {
  const problem = `security; file ${path} is not in or below ${root}`
  return new LadingError('kustomize.refused', problem, { file: path, folder: root })
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function isInside(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

import { normalize } from 'node:path/posix'
import { LadingError, stringifyJson } from '../../../core/index.ts'
import { decodeText } from '../../../core/yaml/index.ts'
import { demandSize, type EntryKind, type FileTree } from './file-tree.ts'
import { readFolder } from './read-folder.ts'
import { isRemote, parseRemote, parseRemoteFile } from './parse-remote.ts'
import { type KnownRemotes, notFetched, refuseRemote, type RemoteRequest } from './remote.ts'

const maxDepth = 100

/** Which files a kustomization may read: those in and below its folder, or all of the tree. */
export type LoadRestrictor = 'rootOnly' | 'none'

/** What every folder of a build is loaded with. */
export interface LoadSettings {
  readonly tree: FileTree
  readonly restrictor: LoadRestrictor
  /** What was fetched from other hosts; without it nothing may be. */
  readonly remote?: KnownRemotes | undefined
  /** The remote base that these settings are for. */
  readonly remoteBase?: { readonly url: string; readonly ref: string }
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
    if (this.#depth >= maxDepth) {
      throw new LadingError('kustomize.invalid', `kustomizations refer to each other more than ${maxDepth} levels deep`)
    }
    if (isRemote(path)) return this.#enterRemote(path)
    if (path.startsWith('/')) {
      throw new LadingError(
        'kustomize.refused',
        `the folder ${path} is absolute: folders are given relative to the kustomization`,
        { path },
      )
    }
    refuseAmbiguous(path)
    const root = folderAt(this.#join(path), path, this.settings)
    return this.#child(root, this.settings)
  }

  /** Asks for what paths of other hosts need, all at once, so that it can be fetched before any of it is used. */
  announce(paths: readonly string[]): void {
    if (this.settings.remote === undefined) return
    for (const path of paths.filter(isRemote)) {
      const remote = parseRemote(path)
      this.#remote(remote.type === 'folder' ? remote.repository : remote, path)
    }
  }

  /** A chart of another host, by its files. */
  loadChart(repo: string, name: string, version: string): ReadonlyMap<string, Uint8Array> | undefined {
    if (this.settings.remote === undefined) return undefined
    const found = this.#remote({ type: 'chart', repo, name, version }, repo)
    if (found?.type !== 'chart') throw notFetched(repo)
    return found.files
  }

  // A repository's kustomizations see their own repository, and never more than the folder of each.
  #enterRemote(path: string): Loader {
    const remote = parseRemote(path)
    if (remote.type !== 'folder') {
      throw new LadingError('kustomize.invalid', `${path} is a file: only a folder of a repository can be entered`)
    }
    const { url, ref } = remote.repository
    const found = this.#remote(remote.repository, path)
    if (found?.type !== 'git') throw notFetched(path)
    const { remote: known } = this.settings
    const settings = { tree: found.tree, restrictor: 'rootOnly' as const, remote: known, remoteBase: { url, ref } }
    return this.#child(folderAt(normalize(`/${remote.path}`), path, settings), settings)
  }

  #child(root: string, settings: LoadSettings): Loader {
    for (const visited of this.#lineage().reverse()) {
      if (visited.settings.tree === settings.tree && isInside(visited.root, root)) {
        throw new LadingError(
          'kustomize.invalid',
          `cycle detected: ${root} contains ${visited.root}, which refers to it`,
          { path: root },
        )
      }
    }
    return new Loader(root, settings, this, this.#depth + 1)
  }

  #remote(request: RemoteRequest, path: string): ReturnType<KnownRemotes> {
    const { remote, remoteBase } = this.settings
    if (remote === undefined) throw refuseRemote(path)
    return remote(remoteBase === undefined ? request : { ...request, namedBy: remoteBase.url })
  }

  /** The content of a file. */
  load(path: string): Uint8Array {
    if (isRemote(path)) return this.#loadRemote(path)
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

  #loadRemote(path: string): Uint8Array {
    if (this.settings.remote === undefined) throw refuseRemote(path)
    const found = this.#remote(parseRemoteFile(path), path)
    if (found?.type !== 'file') throw notFetched(path)
    demandSize(path, found.content.length)
    return found.content
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
    return this.#lineage().map(({ root, settings: { remoteBase } }) =>
      remoteBase === undefined ? root : `${remoteBase.url}/${root}`,
    )
  }

  #lineage(): Loader[] {
    return this.#referrer === undefined ? [this] : [...this.#referrer.#lineage(), this]
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
  const problem = `path ${stringifyJson(path)} is ambiguous: it would lead to ${stringifyJson(normalize(path))}; check the indentation of the list that it stands in`
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

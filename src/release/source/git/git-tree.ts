import { LadingError } from '../../../core/index.ts'
import type { EntryKind, FileTree } from '../../../render/kustomize/index.ts'
import { type GitObjects, objectOf, readTree, type TreeEntry } from './read-objects.ts'

const maxLinks = 40
const maxDepth = 100
const maxLinkBytes = 4096

/** Gives the tree of a submodule, by its path; throws where it was not fetched. */
export type OpenSubmodule = (path: string, commit: string) => FileTree

/** A commit's files as a tree: links are followed inside of the repository and refused where they lead out of it. */
export function gitTree(objects: GitObjects, root: string, openSubmodule: OpenSubmodule): FileTree {
  const trees = new Map<string, ReadonlyMap<string, TreeEntry>>()
  const entriesOf = (id: string): ReadonlyMap<string, TreeEntry> => {
    const entries = trees.get(id) ?? readTree(objects, id)
    trees.set(id, entries)
    return entries
  }

  /** Walks from the root, name by name; a link puts the names of its target in front of those that are left. */
  function find(path: string): Found | undefined {
    const names = partsOf(path)
    const walked: { name: string; entry: TreeEntry }[] = []
    let links = 0
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      if (name === '..') {
        if (walked.pop() === undefined) throw leadsOut(path)
        continue
      }
      const folder = walked.at(-1)?.entry ?? { kind: 'folder', id: root }
      if (folder.kind !== 'folder') return undefined
      const entry = entriesOf(folder.id).get(name)
      if (entry === undefined) return undefined
      if (entry.kind === 'link') {
        if (++links > maxLinks) throw new LadingError('file.unreadable', `${path} is a link that leads to itself`)
        const target = Buffer.from(objectOf(objects, entry.id, 'blob')).toString('utf8')
        if (target.startsWith('/') || target.includes('\0') || target.length > maxLinkBytes) throw leadsOut(path)
        names.unshift(...partsOf(target))
        continue
      }
      walked.push({ name, entry })
      if (walked.length > maxDepth) {
        throw new LadingError('input.too-large', `${path} is nested deeper than ${maxDepth} folders`, { path })
      }
      if (entry.kind === 'submodule') return inSubmodule(pathOf(walked), entry.id, names)
    }
    const entry = walked.at(-1)?.entry ?? { kind: 'folder', id: root }
    return { path: pathOf(walked), kind: entry.kind === 'file' ? 'file' : 'folder', id: entry.id }
  }

  function inSubmodule(path: string, commit: string, rest: readonly string[]): Found | undefined {
    const tree = openSubmodule(path.slice(1), commit)
    const below = tree.resolve(`/${rest.join('/')}`)
    if (below === undefined) return undefined
    return {
      path: below.path === '/' ? path : `${path}${below.path}`,
      kind: below.kind,
      below: { tree, path: below.path },
    }
  }

  function demand(path: string): Found {
    const found = find(path)
    if (found === undefined) throw new LadingError('file.not-found', `there is no ${path}`, { file: path })
    return found
  }

  return {
    resolve(path) {
      const found = find(path)
      return found === undefined ? undefined : { path: found.path, kind: found.kind }
    },
    list(path) {
      const found = demand(path)
      if ('below' in found) return found.below.tree.list(found.below.path)
      return [...entriesOf(found.id).keys()].sort()
    },
    read(path) {
      const found = demand(path)
      return 'below' in found ? found.below.tree.read(found.below.path) : objectOf(objects, found.id, 'blob')
    },
  }
}

type Found = { readonly path: string; readonly kind: EntryKind } & (
  | { readonly id: string }
  | { readonly below: { readonly tree: FileTree; readonly path: string } }
)

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

function pathOf(walked: readonly { readonly name: string }[]): string {
  return `/${walked.map(({ name }) => name).join('/')}`
}

function leadsOut(path: string): LadingError {
  return new LadingError('kustomize.refused', `${path} is a link that leads out of the repository`, { file: path })
}

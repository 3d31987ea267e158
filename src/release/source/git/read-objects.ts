import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { GitObject, GitObjectType } from './git-object.ts'

/** The objects of a repository, by their ids. */
export type GitObjects = ReadonlyMap<string, GitObject>

/** What an entry of a tree is. */
export type TreeEntryKind = 'folder' | 'file' | 'link' | 'submodule'

/** One entry of a tree. */
export interface TreeEntry {
  readonly kind: TreeEntryKind
  readonly id: string
}

const kinds: Readonly<Record<string, TreeEntryKind>> = {
  '40000': 'folder',
  '100644': 'file',
  '100664': 'file',
  '100755': 'file',
  '120000': 'link',
  '160000': 'submodule',
}
const maxTagDepth = 5

/** Follows tags to the commit that they mean, and gives its id and its tree's. */
export function commitOf(objects: GitObjects, id: string): { readonly commit: string; readonly tree: string } {
  let at = id
  for (let depth = 0; depth <= maxTagDepth; depth++) {
    const object = objects.get(at)
    if (object === undefined) throw damaged(`it lacks the object ${at}`)
    const text = Buffer.from(object.data).toString('latin1')
    if (object.type === 'commit') return { commit: at, tree: idIn(text, /^tree ([\da-f]{40})\n/) }
    if (object.type !== 'tag') throw damaged(`${at} is a ${object.type}, not a commit`)
    at = idIn(text, /^object ([\da-f]{40})\n/)
  }
  throw damaged(`more than ${maxTagDepth} tags stand on each other`)
}

/** The entries of a tree. Names that git itself would not check out are refused. */
export function readTree(objects: GitObjects, id: string): ReadonlyMap<string, TreeEntry> {
  const data = Buffer.from(objectOf(objects, id, 'tree'))
  const entries = new Map<string, TreeEntry>()
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(0x20, at)
    const end = data.indexOf(0, at)
    if (space < 0 || end < space || end + 21 > data.length) throw damaged('a tree is cut off')
    const name = data.toString('utf8', space + 1, end)
    const kind = kinds[data.toString('latin1', at, space)]
    if (kind === undefined) throw damaged(`${stringifyJson(name)} has a file mode that git does not know`)
    if (isUnsafe(name) || entries.has(name)) throw unsafe(name)
    entries.set(name, { kind, id: data.toString('hex', end + 1, end + 21) })
    at = end + 21
  }
  return entries
}

/** What stands at a path, no links followed. */
export function entryAt(objects: GitObjects, root: string, path: string): TreeEntry | undefined {
  let at: TreeEntry = { kind: 'folder', id: root }
  for (const name of path.split('/')) {
    if (at.kind !== 'folder') return undefined
    const next = readTree(objects, at.id).get(name)
    if (next === undefined) return undefined
    at = next
  }
  return at
}

/** The content of an object that has to be there and of this type. */
export function objectOf(objects: GitObjects, id: string, type: GitObjectType): Uint8Array {
  const object = objects.get(id)
  if (object === undefined) throw damaged(`it lacks the ${type} ${id}`)
  if (object.type !== type) throw damaged(`${id} is a ${object.type}, not a ${type}`)
  return object.data
}

function idIn(text: string, pattern: RegExp): string {
  const id = pattern.exec(text)?.[1]
  if (id === undefined) throw damaged('a commit or tag is damaged')
  return id
}

function isUnsafe(name: string): boolean {
  return name === '' || name === '.' || name === '..' || /[/\\]/.test(name) || name.toLowerCase() === '.git'
}

function unsafe(name: string): LadingError {
  const problem = `the repository holds a file with the name ${stringifyJson(name)} twice, or one that git refuses`
  return new LadingError('git.failed', problem, { name })
}

function damaged(problem: string): LadingError {
  return new LadingError('git.failed', `the server sent a damaged repository: ${problem}`)
}

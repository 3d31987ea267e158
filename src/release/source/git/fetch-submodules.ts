import { LadingError } from '../../../core/index.ts'
import type { FileTree } from '../../../render/kustomize/index.ts'
import type { OpenSubmodule } from './git-tree.ts'
import { entryAt, type GitObjects } from './read-objects.ts'

const maxSubmodules = 50

/** A repository that has submodules. */
export interface Superproject {
  readonly url: string
  readonly objects: GitObjects
  /** The id of the tree of its commit. */
  readonly root: string
  readonly tree: FileTree
}

/**
 * Fetches the submodules that `.gitmodules` names, each at the commit that its repository pins. One that `fetch` gives nothing for,
 * because its host is not allowed, is only missed by a kustomization that leads into it.
 */
export async function fetchSubmodules(
  { url, objects, root, tree }: Superproject,
  fetch: (url: string, commit: string) => Promise<FileTree | undefined>,
): Promise<OpenSubmodule> {
  const modules = readModules(tree, url)
  const fetched = new Map<string, FileTree>()
  for (const [path, address] of modules) {
    const entry = entryAt(objects, root, path)
    if (entry?.kind !== 'submodule' || address === undefined) continue
    const found = await fetch(address, entry.id)
    if (found !== undefined) fetched.set(path, found)
    if (fetched.size > maxSubmodules) {
      throw new LadingError('input.too-large', `${url} has more than ${maxSubmodules} submodules`, { url })
    }
  }
  return (path) => {
    const found = fetched.get(path)
    if (found !== undefined) return found
    const host = URL.parse(modules.get(path) ?? '')?.host
    const advice = host === undefined ? 'its address is not an https:// one' : `give --allow-remote ${host} to fetch it`
    const problem = `${path} of ${url} is a submodule that was not fetched: ${advice}`
    throw new LadingError('kustomize.refused', problem, { url, path })
  }
}

/** The paths and addresses of `.gitmodules`, which is written in git's own format for settings. */
function readModules(tree: FileTree, url: string): Map<string, string | undefined> {
  const modules = new Map<string, string | undefined>()
  const found = tree.resolve('/.gitmodules')
  if (found?.kind !== 'file') return modules
  const text = Buffer.from(tree.read(found.path)).toString('utf8')
  for (const section of text.split(/^\s*\[/m).slice(1)) {
    const path = /^\s*path\s*=(.*)$/m.exec(section)?.[1]?.trim()
    const address = /^\s*url\s*=(.*)$/m.exec(section)?.[1]?.trim()
    if (section.startsWith('submodule') && path !== undefined) modules.set(path, addressOf(address ?? '', url))
  }
  return modules
}

/** An address that is fetched from; a relative one is meant from the repository's own, as git reads it. */
function addressOf(text: string, url: string): string | undefined {
  const found = /^\.\.?\//.test(text) ? URL.parse(text, `${url}/`) : URL.parse(text)
  if (found === null || !/^https?:$/.test(found.protocol)) return undefined
  return found.username === '' && found.password === '' ? found.href : undefined
}

import { type Context, LadingError } from '../../../core/index.ts'
import type { Fetch } from '../../../render/helm/index.ts'
import type { FileTree, RemoteRepository } from '../../../render/kustomize/index.ts'
import { type GitRemote, openGitRemote } from './git-remote.ts'
import { gitTree, type OpenSubmodule } from './git-tree.ts'
import { commitOf } from './read-objects.ts'
import { type PackLimits, readPack } from './read-pack.ts'
import { fetchSubmodules } from './fetch-submodules.ts'

const maxSubmoduleDepth = 5

/** How repositories are fetched. */
export interface RepositoryAccess {
  /** Refuses by itself what may not be reached. */
  readonly fetch: Fetch
  /** Whether a repository's address may be reached at all. */
  readonly isAllowed: (url: string) => boolean
  /** Take branches, and the default branch where no ref is given, as they are now. */
  readonly allowUnpinned?: boolean
  readonly limits?: PackLimits
}

/** One commit of a repository. */
export interface FetchedRepository {
  readonly tree: FileTree
  readonly commit: string
}

/** Fetches one commit over HTTPS, in process and into memory: no history, no program, nothing on the disk. */
export async function fetchRepository(
  request: RemoteRepository,
  access: RepositoryAccess,
  ctx: Context,
  depth = 0,
): Promise<FetchedRepository> {
  const { url, ref, namedBy } = request
  checkRef(url, ref)
  if (ref === '' && access.allowUnpinned !== true) throw unpinned(url, 'names no ref')
  const remote = await openGitRemote(url, access.fetch, namedBy === undefined ? {} : { namedBy }, ctx)
  const wanted = await resolveRef(remote, url, ref, access.allowUnpinned === true)
  const objects = readPack(await remote.pack(wanted), access.limits)
  const { commit, tree } = commitOf(objects, wanted)
  const closed = gitTree(objects, tree, refuseSubmodule(url))
  if (!request.submodules || depth >= maxSubmoduleDepth) return { tree: closed, commit }
  const open = await fetchSubmodules({ url, objects, root: tree, tree: closed }, async (from, pinned) => {
    if (!access.isAllowed(from)) return undefined
    const found = { type: 'git', url: from, ref: pinned, submodules: true, namedBy: url } as const
    return (await fetchRepository(found, access, ctx, depth + 1)).tree
  })
  return { tree: gitTree(objects, tree, open), commit }
}

/** The object that a ref means, by the names that `git fetch` tries: a tag before a branch. */
async function resolveRef(remote: GitRemote, url: string, ref: string, allowUnpinned: boolean): Promise<string> {
  if (/^[\da-f]{40}$/.test(ref)) return ref
  const names = ref === '' ? ['HEAD'] : namesOf(ref)
  const found = await remote.refs(names)
  const first = names.map((name) => found.find((each) => each.name === name)).find((each) => each !== undefined)
  if (first === undefined) {
    throw new LadingError('git.failed', `${url} has no tag ${ref === '' ? 'or branch' : ref}`, { url, ref })
  }
  if (!first.name.startsWith('refs/tags/') && !allowUnpinned) throw unpinned(url, `is asked for the branch ${ref}`)
  return first.id
}

function namesOf(ref: string): string[] {
  return ref.startsWith('refs/') ? [ref] : [`refs/tags/${ref}`, `refs/heads/${ref}`]
}

/** A ref that git itself would refuse (git-check-ref-format), or that would be a line of its own in the protocol. */
function checkRef(url: string, ref: string): void {
  // oxlint-disable-next-line no-control-regex
  if (ref.length <= 250 && !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|^[-/]|\/$/.test(ref)) return
  throw new LadingError('kustomize.refused', `${url} is asked for something that is no name of a tag`, { url })
}

function refuseSubmodule(url: string): OpenSubmodule {
  return (path) => {
    throw new LadingError('kustomize.refused', `${path} of ${url} is a submodule that is not fetched`, { url, path })
  }
}

function unpinned(url: string, problem: string): LadingError {
  const advice =
    'pin it to a tag or a commit with ?ref=, or give --allow-unpinned to build from what the branch holds now'
  return new LadingError('kustomize.refused', `${url} ${problem}, which means something else later: ${advice}`, { url })
}

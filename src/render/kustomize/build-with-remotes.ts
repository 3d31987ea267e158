import { compareText, type Context, type KubeObject, LadingError, stringifyJson } from '../../core/index.ts'
import { buildKustomization, type KustomizeOptions } from './build-kustomization.ts'
import type { FileTree } from './load/file-tree.ts'
import type { FetchedRemote, RemoteRecord, RemoteRequest } from './load/remote.ts'

/** Remote bases that refer to others need one build more for each link of the chain. */
const maxRounds = 50
const maxRemotes = 500

/** Fetches something from another host; whoever has a network hands it in. */
export type FetchRemote = (request: RemoteRequest, ctx: Context) => Promise<FetchedRemote>

/** What a build came to, and what it was fetched from. */
export interface BuiltKustomization {
  readonly objects: KubeObject[]
  /** Each repository, file and chart of another host once, ordered by type and address. */
  readonly remotes: readonly RemoteRecord[]
}

/**
 * Builds a kustomization that refers to other hosts. A build never waits: what it asks for and does not have yet is noted and
 * fetched, and the kustomization built again, until nothing is missing.
 */
export async function buildWithRemotes(
  tree: FileTree,
  path: string,
  options: Omit<KustomizeOptions, 'remote'>,
  fetchRemote: FetchRemote | undefined,
  ctx: Context,
): Promise<BuiltKustomization> {
  if (fetchRemote === undefined) return { objects: buildKustomization(tree, path, options), remotes: [] }
  const known = new Map<string, FetchedRemote>()
  for (let round = 0; round < maxRounds; round += 1) {
    const asked = new Map<string, RemoteRequest>()
    const remote = (request: RemoteRequest): FetchedRemote | undefined => {
      const key = keyOf(request)
      const found = known.get(key)
      if (found === undefined && !asked.has(key)) asked.set(key, request)
      return found
    }
    try {
      const objects = buildKustomization(tree, path, { ...options, remote })
      if (asked.size === 0) return { objects, remotes: recordsOf(known.values()) }
    } catch (error) {
      // Without what it asked for it had to fail; the failure counts only when there was nothing left to ask.
      if (asked.size === 0) throw error
    }
    if (known.size + asked.size > maxRemotes) throw tooMany(`to more than ${maxRemotes} addresses of other hosts`)
    for (const [key, request] of asked) known.set(key, await fetchRemote(request, ctx))
  }
  throw tooMany(`through more than ${maxRounds} remote bases to each other`)
}

// Who refers to it and how long it may take do not make it something else.
function keyOf(request: RemoteRequest): string {
  const { namedBy: _, ...rest } = request
  return stringifyJson(rest.type === 'git' ? { ...rest, timeoutMs: 0 } : rest)
}

function recordsOf(fetched: Iterable<FetchedRemote>): RemoteRecord[] {
  const records = new Map([...fetched].map(({ record }) => [stringifyJson(record), record]))
  return [...records].sort(([one], [other]) => compareText(one, other)).map(([, record]) => record)
}

function tooMany(how: string): LadingError {
  return new LadingError('kustomize.refused', `the kustomization leads ${how}`)
}

import { compareText, type Context, type KubeObject, LadingError, stringifyJson } from '../../core/index.ts'
import { runStoppable, type StoppableOptions } from '../stoppable/index.ts'
import type { RenderSeed } from '../world/index.ts'
import type { KustomizeOptions } from './build-kustomization.ts'
import type { ChartEngine } from './generate/chart-request.ts'
import { kustomizeJob } from './kustomize-job.ts'
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
  /** What its charts used of the seed. */
  readonly used: RenderSeed
}

/** How a kustomization is built that may refer to other hosts. */
export interface BuildOptions extends Pick<KustomizeOptions, 'loadRestrictor' | 'reorder'>, StoppableOptions {
  /** Inflates `helmCharts`; without it they are refused. */
  readonly engine?: ChartEngine
  /** What charts take random values and the time from; (default: fresh ones). */
  readonly seed?: RenderSeed
}

/**
 * Builds a kustomization that may refer to other hosts. A build never waits: what it asks for and does not have yet is noted and
 * fetched, and the kustomization built again, until nothing is missing. The signal ends a build that computes for long.
 */
export async function buildWithRemotes(
  tree: FileTree,
  path: string,
  { engine, seed, inlineMs, ...options }: BuildOptions,
  fetchRemote: FetchRemote | undefined,
  ctx: Context,
): Promise<BuiltKustomization> {
  const known = new Map<string, FetchedRemote>()
  for (let round = 0; round < maxRounds; round += 1) {
    const input = { tree, path, options, engine, seed, known: fetchRemote === undefined ? undefined : known }
    const { asked, used, built } = await runStoppable(kustomizeJob, input, ctx, { inlineMs })
    // Without what it asked for it had to fail; the failure counts only when there was nothing left to ask.
    if (fetchRemote === undefined || asked.size === 0) {
      if ('error' in built) throw built.error as Error
      return { objects: built.objects, remotes: recordsOf(known.values()), used }
    }
    if (known.size + asked.size > maxRemotes) throw tooMany(`to more than ${maxRemotes} addresses of other hosts`)
    for (const [key, request] of asked) known.set(key, await fetchRemote(request, ctx))
  }
  throw tooMany(`through more than ${maxRounds} remote bases to each other`)
}

function recordsOf(fetched: Iterable<FetchedRemote>): RemoteRecord[] {
  const records = new Map([...fetched].map(({ record }) => [stringifyJson(record), record]))
  return [...records].sort(([one], [other]) => compareText(one, other)).map(([, record]) => record)
}

function tooMany(how: string): LadingError {
  return new LadingError('kustomize.refused', `the kustomization leads ${how}`)
}

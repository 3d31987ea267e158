import type { KubeObject } from '../../core/index.ts'
import { needsDeeperStack, type Job } from '../stoppable/index.ts'
import type { RenderSeed } from '../world/index.ts'
import { buildKustomization, type KustomizeOptions } from './build-kustomization.ts'
import type { ChartEngine } from './generate/chart-request.ts'
import type { FileTree, PlainTree } from './load/file-tree.ts'
import { openTree } from './load/open-tree.ts'
import { plainTree } from './load/plain-tree.ts'
import { type FetchedRemote, type RemoteRequest, remoteKey } from './load/remote.ts'

/** What a kustomization is built from. */
export interface KustomizeInput {
  readonly tree: FileTree
  readonly path: string
  readonly options: Omit<KustomizeOptions, 'remote' | 'inflateChart' | 'enableHelm'>
  readonly engine: ChartEngine | undefined
  readonly seed: RenderSeed | undefined
  /** What was fetched so far; undefined where nothing may be fetched. */
  readonly known: ReadonlyMap<string, FetchedRemote> | undefined
}

/** What came of one build. */
export interface KustomizeOutput {
  /** What the build needs of other hosts and was not known. */
  readonly asked: ReadonlyMap<string, RemoteRequest>
  readonly used: RenderSeed
  readonly built: { readonly objects: KubeObject[] } | { readonly error: unknown }
}

/** Builds a kustomization once, with what was fetched. */
export const kustomizeJob: Job<KustomizeInput, KustomizeOutput> = {
  module: import.meta.url,
  name: 'kustomizeJob',
  async prepare({ tree, path, options, engine, seed, known }) {
    const opened = engine === undefined ? undefined : await openEngine(engine)
    return () => {
      const charts = opened?.open(seed)
      const asked = new Map<string, RemoteRequest>()
      const remote = (request: RemoteRequest): FetchedRemote | undefined => {
        const key = remoteKey(request)
        const found = known?.get(key)
        if (found === undefined && !asked.has(key)) asked.set(key, request)
        return found
      }
      const how = {
        ...options,
        ...(charts === undefined ? {} : { enableHelm: true, inflateChart: charts.inflateChart }),
        ...(known === undefined ? {} : { remote }),
      }
      let built: KustomizeOutput['built']
      try {
        built = { objects: buildKustomization(tree, path, how) }
      } catch (error) {
        if (needsDeeperStack(error)) throw error
        built = { error }
      }
      return { asked, used: charts?.used() ?? {}, built }
    }
  },
  toData: ({ tree, known, ...rest }): PlainInput => ({
    ...rest,
    tree: plainTree(tree),
    known: known && new Map([...known].map(([key, found]) => [key, withTree(found, plainTree)])),
  }),
  fromData(data) {
    const { tree, known, ...rest } = data as PlainInput
    return {
      ...rest,
      tree: openTree(tree),
      known: known && new Map([...known].map(([key, found]) => [key, withTree(found, openTree)])),
    }
  },
}

type Fetched<Tree> = Exclude<FetchedRemote, { type: 'git' }> | (GitRemote & { readonly tree: Tree })
type GitRemote = Omit<Extract<FetchedRemote, { type: 'git' }>, 'tree'>

interface PlainInput extends Omit<KustomizeInput, 'tree' | 'known'> {
  readonly tree: PlainTree
  readonly known: ReadonlyMap<string, Fetched<PlainTree>> | undefined
}

function withTree<From, To>(fetched: Fetched<From>, change: (tree: From) => To): Fetched<To> {
  return fetched.type === 'git' ? { ...fetched, tree: change(fetched.tree) } : fetched
}

// In a worker only the name of the engine has arrived.
async function openEngine(engine: ChartEngine): Promise<ChartEngine> {
  if (engine.open !== undefined) return engine
  return ((await import(engine.module)) as Readonly<Record<string, ChartEngine>>)[engine.name]!
}

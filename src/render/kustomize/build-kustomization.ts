import type { KubeObject } from '../../core/index.ts'
import { accumulateTarget } from './accumulate.ts'
import { Accumulator, type Build } from './accumulator.ts'
import { defaultConfig } from './config/transformer-config.ts'
import { finishResource } from './finish-resource.ts'
import type { InflateChart } from './generate/chart-request.ts'
import type { FileTree } from './load/file-tree.ts'
import { type Kustomization, loadKustomization } from './load/kustomization.ts'
import { Loader, type LoadRestrictor } from './load/loader.ts'
import type { KnownRemotes } from './load/remote.ts'
import { builtinMergeSchema } from './merge/merge-schema.ts'
import { useOpenApi } from './merge/openapi-schema.ts'
import { sortResources } from './sort-resources.ts'
import type { Target } from './target.ts'
import { addHashes } from './transform/add-hashes.ts'
import { fixReferences } from './transform/references/fix-references.ts'
import { resolveVars } from './transform/references/resolve-vars.ts'
import { setTextsIn } from './transform/set-labels.ts'

/** How a kustomization is built. */
export interface KustomizeOptions {
  /** Which files a kustomization may read: those in and below its folder (`rootOnly`, the default), or all of the tree. */
  readonly loadRestrictor?: LoadRestrictor
  /** Whether `helmCharts` may be inflated; by `inflateChart`. */
  readonly enableHelm?: boolean
  /** The Helm engine. */
  readonly inflateChart?: InflateChart
  /** The order of the output where no `sortOptions` say otherwise: by kind (`legacy`, the default), or as loaded (`none`). */
  readonly reorder?: 'none' | 'legacy'
  /** What was fetched from other hosts; without it remote bases, files and charts are refused. See `buildWithRemotes`. */
  readonly remote?: KnownRemotes
}

// The release whose behaviour this is; `managedByLabel` names it, as the original names itself.
const kustomizeVersion = 'v5.8.2'

/** Builds the kustomization in a folder of a tree, as `kustomize build` does: the same objects in the same order. */
export function buildKustomization(fs: FileTree, path: string, options: KustomizeOptions = {}): KubeObject[] {
  const settings = {
    tree: fs,
    restrictor: options.loadRestrictor ?? 'rootOnly',
    remote: options.remote,
  }
  const loader = Loader.at(path, settings)
  const kustomization = loadKustomization(loader)
  const build: Build = {
    settings,
    enableHelm: options.enableHelm === true,
    inflateChart: options.inflateChart,
    defaults: defaultConfig(),
    entered: 1,
    schema: { lookup: builtinMergeSchema(), isCustom: false },
    tracksOrigin: kustomization.buildMetadata.length > 0,
  }
  const target: Target = { build, loader, kustomization, place: { path: '' }, helmNamespace: '' }
  useOpenApi(target)
  const accumulator = new Accumulator()
  accumulateTarget(target, accumulator)
  return finish(accumulator, kustomization, options.reorder ?? 'legacy')
}

function finish(accumulator: Accumulator, kustomization: Kustomization, reorder: 'none' | 'legacy'): KubeObject[] {
  const { resources, config } = accumulator
  addHashes(resources)
  fixReferences(resources, config.nameReference)
  resolveVars(accumulator)
  resources.reset(resources.resources.filter((each) => !isLocal(each.texts('annotations'))))
  const sort = kustomization.sortOptions ?? {
    order: reorder === 'legacy' ? 'legacy' : 'fifo',
    legacySortOptions: undefined,
  }
  resources.reset(sortResources(resources.resources, sort))
  if (kustomization.buildMetadata.includes('managedByLabel')) {
    const spec = { group: '', version: '', kind: '', path: 'metadata/labels', create: true }
    setTextsIn(resources, { 'app.kubernetes.io/managed-by': `kustomize-${kustomizeVersion}` }, [spec])
  }
  return resources.resources.map((resource) => finishResource(resource, kustomization.buildMetadata))
}

function isLocal(annotations: Readonly<Record<string, string>>): boolean {
  const local = annotations['config.kubernetes.io/local-config']
  return local !== undefined && local !== 'false'
}

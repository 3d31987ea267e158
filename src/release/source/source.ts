import type { Context, KubeObject } from '../../core/index.ts'
import type { SourceInfo } from '../record/record.ts'
import type { Chart, WriteOptions } from '../../render/helm/index.ts'
import type { ChartRelease } from '../storage/helm/helm-release.ts'
import type { ArtifactAccess } from './artifact-source.ts'
import type { ClusterView } from './cluster-view.ts'
import type { StoppableOptions } from '../../render/stoppable/index.ts'
import type { RenderWorld } from '../../render/world/index.ts'
import type { ProgramOptions } from './program-source.ts'
import type { OpenRemote, RemoteOptions } from './remote/fetch-remote.ts'
import type { ComposedValues, GivenValues } from '../values/compose-values.ts'

/** What a source is rendered for. */
export interface RenderInput extends StoppableOptions {
  readonly release: {
    readonly name: string
    readonly namespace: string
    readonly revision: number
    readonly isInstall: boolean
    readonly isUpgrade: boolean
  }
  /** What the user gives; the source adds its own defaults. */
  readonly values?: GivenValues
  /** The cluster that it is rendered for; without one, sources see what `helm template` sees. */
  readonly cluster?: ClusterView
  /** Where templates take random values and the time from (default: a fresh one). */
  readonly world?: RenderWorld
}

/** What a source came to. */
export interface Rendered {
  readonly objects: readonly KubeObject[]
  readonly info: SourceInfo
  /** The values as they are recorded, defaults and sources included. */
  readonly values: ComposedValues
  readonly notes?: string
  /** The source's own values, before the user's. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** CustomResourceDefinitions that the source keeps apart from what it renders; shared unless they say otherwise. */
  readonly crds?: readonly KubeObject[]
  /** What Helm's own record of the release has to hold. */
  readonly chart?: ChartRelease
  /** A chart as `helm template` prints it. */
  readonly writeTemplate?: (options: WriteOptions) => string
  /** A chart as `helm template --output-dir` writes it. */
  readonly templateFiles?: (options: WriteOptions) => ReadonlyMap<string, string>
}

/** How a chart is rendered. */
export interface ChartOptions {
  /** The version that a registry is asked for where the reference names none. */
  readonly version?: string
  /** Address of a chart repository, in which the source is the name of a chart. */
  readonly repo?: string
  /** Instead of the cluster's own. */
  readonly kubeVersion?: string
  /** Beside what the cluster serves. */
  readonly apiVersions?: readonly string[]
  /** Leave out what stands in crds/. */
  readonly skipCrds?: boolean
  readonly skipSchemaValidation?: boolean
  /** Leave out hooks of tests. */
  readonly skipTests?: boolean
  /** Follow the symlinks of a chart's folder wherever they lead (default: in its repository, or to a chart beside it). */
  readonly followLinks?: boolean
  /** Folder of a kustomization that everything rendered is passed through. */
  readonly postRenderKustomize?: string
}

/** Something that a release is rendered from. */
export interface Source {
  render(input: RenderInput, ctx: Context): Promise<Rendered>
}

/** Fetches a chart from a repository. */
export type FetchChart = (
  text: string,
  options: Pick<ChartOptions, 'version' | 'repo'>,
  ctx: Context,
) => Promise<{ readonly chart: Chart; readonly origin: string }>

/** What a SOURCE argument can be. */
export type SourceKind = 'manifest' | 'kustomization' | 'chart' | 'pack' | 'program' | 'archive' | 'oci' | 'url'

/** How a source is recognised and read. */
export interface SourceOptions {
  /** What `-` reads; without it `-` is refused. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** The folder from which relative paths of `--set-file` are meant (default: that of the process). */
  readonly cwd?: string
  /** Takes a folder for this kind, whatever else it holds. */
  readonly kind?: SourceKind
  /** Goes into the folders of a folder of manifests too. */
  readonly recursive?: boolean
  /** The most bytes read in all. */
  readonly maxBytes?: number
  /** How artifacts of registries are fetched. */
  readonly artifacts?: ArtifactAccess
  readonly chart?: ChartOptions
  /** Fetches a chart that REPO/NAME, an address or a name with `chart.repo` means; without it such sources are refused. */
  readonly fetchChart?: FetchChart
  /** Inflate the `helmCharts` of a kustomization. */
  readonly enableHelm?: boolean
  /** What a program may do; nothing but compute by default. */
  readonly program?: ProgramOptions
  /** Renders a program for an artifact, which is the same at any time: this is the time that it sees. */
  readonly reproducibleAt?: Date
  /** What a kustomization may fetch from other hosts (default: nothing). */
  readonly remote?: RemoteOptions
  /** How other hosts are reached. */
  readonly openRemote?: OpenRemote
}

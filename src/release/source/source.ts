import type { Context, KubeObject } from '../../core/index.ts'
import type { SourceInfo } from '../record.ts'
import type { ArtifactAccess } from './artifact-source.ts'
import type { ComposedValues, GivenValues } from '../values/compose-values.ts'

/** What a source is rendered for. */
export interface RenderInput {
  readonly release: {
    readonly name: string
    readonly namespace: string
    readonly revision: number
    readonly isInstall: boolean
    readonly isUpgrade: boolean
  }
  /** What the user gives; the source adds its own defaults. */
  readonly values?: GivenValues
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
}

/** Something that a release is rendered from. */
export interface Source {
  render(input: RenderInput, ctx: Context): Promise<Rendered>
}

/** What a SOURCE argument can be. */
export type SourceKind = 'manifest' | 'kustomization' | 'chart' | 'pack' | 'archive' | 'oci' | 'url'

/** How a source is recognised and read. */
export interface SourceOptions {
  /** What `-` reads; without it `-` is refused. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** The folder from which relative paths of `--set-file` are meant; that of the process unless told. */
  readonly cwd?: string
  /** Takes a folder for this kind, whatever else it holds. */
  readonly kind?: SourceKind
  /** Goes into the folders of a folder of manifests too. */
  readonly recursive?: boolean
  /** The most bytes read in all. */
  readonly maxBytes?: number
  /** How artifacts of registries are fetched. */
  readonly artifacts?: ArtifactAccess
}

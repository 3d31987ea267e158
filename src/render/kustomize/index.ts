/**
 * Builds kustomizations without the kustomize binary.
 *
 * @module
 */
export { buildKustomization, type KustomizeOptions } from './build-kustomization.ts'
export { type BuildOptions, buildWithRemotes, type BuiltKustomization, type FetchRemote } from './build-with-remotes.ts'
export type { ChartEngine, ChartRequest, InflateChart } from './generate/chart-request.ts'
export type { EntryKind, FileTree, PlainTree } from './load/file-tree.ts'
export { folderTree } from './load/folder-tree.ts'
export { memoryTree } from './load/memory-tree.ts'
export { overlayTree } from './load/overlay-tree.ts'
export type {
  FetchedRemote,
  KnownRemotes,
  RemoteChart,
  RemoteFile,
  RemoteRecord,
  RemoteRepository,
  RemoteRequest,
} from './load/remote.ts'
export { renderYaml } from './write/render-yaml.ts'
export type { ChartArgs } from './generate/chart-request.ts'
export type { LoadRestrictor } from './load/loader.ts'
export type { StoppableOptions } from '../stoppable/run-stoppable.ts'
export type { RenderSeed, RenderWorld } from '../world/render-world.ts'
export type { Decoded } from './load/decode.ts'
export type { Decoder } from './load/decode.ts'
export type { Place } from './load/decode.ts'

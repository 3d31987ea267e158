/**
 * Reads and renders packs, whose templates are written for MiniJinja.
 *
 * @module
 */
export { checkManifest } from './check-manifest.ts'
export { loadPack } from './load-pack.ts'
export type { Pack, PackDependency, PackMetadata } from './pack.ts'
export { readPackFolder } from './read-pack-folder.ts'
export { openPack, renderPack, type RenderedPack, type RenderPackOptions } from './render-pack.ts'

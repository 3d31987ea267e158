export { loadPack } from './load-pack.ts'
export type { Pack, PackDependency, PackMetadata } from './pack.ts'
export { readPackFolder } from './read-pack-folder.ts'
export { renderPack, type RenderedPack, type RenderPackOptions } from './render-pack.ts'

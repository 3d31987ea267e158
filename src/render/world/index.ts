export { type RenderSeed, type RenderWorld, renderWorld } from './render-world.ts'

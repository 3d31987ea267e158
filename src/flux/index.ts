/**
 * The deployment adapter that hands its work to Flux.
 *
 * @module
 */
export { createFluxAdapter } from './flux-adapter.ts'
export type { FluxConfig } from './flux-config.ts'
export { fluxState, type FluxState } from './flux-status.ts'

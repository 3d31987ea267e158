import type { ChartEngine } from '../kustomize/index.ts'
import { renderWorld } from '../world/index.ts'
import { inflateRequest } from './inflate-request.ts'

/** The Helm engine for the charts of a kustomization. One generator for all of them: two never draw the same. */
export const helmEngine: ChartEngine = {
  module: import.meta.url,
  name: 'helmEngine',
  open(seed) {
    const world = renderWorld(seed)
    const environment = world.begin()
    return { inflateChart: (request) => inflateRequest(request, environment), used: () => world.used() }
  },
}

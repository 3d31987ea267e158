import { openPack, type Pack, type RenderedPack, type RenderPackOptions } from '../../../render/pack/index.ts'
import type { Job } from '../../../render/stoppable/index.ts'
import type { LookupQuery } from '../cluster-view.ts'
import { type RenderSeed, renderWorld } from '../../../render/world/index.ts'
import { answerLookup, type LookupAnswers } from './lookup-answers.ts'
import { attempt, type Outcome } from './outcome.ts'

/** What a pack is rendered from: data alone. */
export interface PackInput {
  readonly pack: Pack
  readonly options: Omit<RenderPackOptions, 'now' | 'random' | 'lookup'>
  readonly seed: RenderSeed
  /** What lookups found so far; without a cluster there is none, and lookups find nothing. */
  readonly answers: LookupAnswers | undefined
}

/** What came of one rendering. */
export interface PackOutput {
  /** What the templates looked up and was not known. */
  readonly asked: ReadonlyMap<string, LookupQuery>
  readonly used: RenderSeed
  readonly rendered: Outcome<RenderedPack>
}

/** Renders a pack once, with the lookups that are known. */
export const packJob: Job<PackInput, PackOutput> = {
  module: import.meta.url,
  name: 'packJob',
  async prepare({ pack, options, seed, answers }) {
    const render = await openPack(pack)
    return () => {
      const world = renderWorld(seed)
      const asked = new Map<string, LookupQuery>()
      const lookup: RenderPackOptions['lookup'] = (apiVersion, kind, namespace, name) =>
        answerLookup(answers ?? new Map(), asked, { apiVersion, kind, namespace, name })
      const how = { ...options, ...world.begin(), ...(answers === undefined ? {} : { lookup }) }
      const rendered = attempt(() => render(how))
      return { asked, used: world.used(), rendered }
    }
  },
}

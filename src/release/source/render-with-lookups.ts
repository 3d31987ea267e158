import { type Context, isLadingError, type KubeObject, LadingError } from '../../core/index.ts'
import { runStoppable } from '../../render/stoppable/index.ts'
import type { ClusterView, LookupQuery } from './cluster-view.ts'
import { chartJob, type ChartInput, type ChartResult } from './jobs/chart-job.ts'
import type { LookupAnswer, LookupAnswers } from './jobs/lookup-answers.ts'
import { valueOf } from './jobs/outcome.ts'
import { refuseSecretUrls } from './refuse-secret-urls.ts'
import type { RenderInput } from './source.ts'
import type { RenderWorld } from '../../render/world/index.ts'

/** A chart whose lookups depend on each other needs one rendering more for each link of the chain. */
const maxRounds = 20

/** A rendered chart; reading its objects refuses documents that are no objects. */
export type ReleaseChart = Omit<ChartResult, 'objects'> & { readonly objects: readonly KubeObject[] }

/**
 * Renders a chart whose templates look at the cluster. Rendering never waits, so that what is asked for and not known yet is
 * noted and found empty; it is fetched, and the chart rendered again, until nothing new is asked for.
 */
export async function renderWithLookups(
  input: Omit<ChartInput, 'seed' | 'answers'>,
  world: RenderWorld,
  { cluster, inlineMs }: Pick<RenderInput, 'cluster' | 'inlineMs'>,
  ctx: Context,
): Promise<ReleaseChart> {
  const { seed } = world
  const answers = new Map<string, LookupAnswer>()
  for (let round = 0; round < maxRounds; round += 1) {
    const known = cluster === undefined ? undefined : answers
    const { asked, used, rendered } = await runStoppable(chartJob, { ...input, seed, answers: known }, ctx, {
      inlineMs,
    })
    world.noteUsed(used)
    // One that was told "nothing" may fail for that alone: its failure counts only when there was nothing left to ask.
    if (cluster === undefined || asked.size === 0) return withoutSecretUrls(reading(valueOf(rendered)), answers)
    for (const [key, query] of asked) answers.set(key, await find(cluster, query, ctx))
  }
  const { name } = input.chart.metadata
  throw new LadingError('chart.template', `the chart ${name} looks up something else each time it is rendered`, {
    chart: name,
  })
}

function reading({ objects, ...rest }: ChartResult): ReleaseChart {
  return {
    ...rest,
    get objects() {
      return valueOf(objects)
    },
  }
}

// Only what has such an address is read as objects here: what is only printed need not be any.
function withoutSecretUrls(rendered: ReleaseChart, known: LookupAnswers): ReleaseChart {
  const found = [...known.values()].flatMap((each) => ('value' in each ? [each.value] : []))
  if (found.length > 0 && rendered.manifests.some(({ text }) => text.includes('health-check-url'))) {
    refuseSecretUrls(rendered.objects, found)
  }
  return rendered
}

async function find(cluster: ClusterView, query: LookupQuery, ctx: Context): Promise<LookupAnswer> {
  try {
    return { value: await cluster.lookup(query, ctx) }
  } catch (error) {
    if (!isLadingError(error) || isLadingError(error, 'cancelled', 'timeout')) throw error
    return { error }
  }
}

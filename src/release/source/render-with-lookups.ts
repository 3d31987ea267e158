import { type Context, isLadingError, isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import { type Chart, renderChart, type RenderedChart, type RenderOptions, toValues } from '../../render/helm/index.ts'
import type { RenderWorld } from './render-world.ts'
import { refuseSecretUrls } from './refuse-secret-urls.ts'
import type { ClusterView, LookupQuery } from './cluster-view.ts'

/** A chart whose lookups depend on each other needs one rendering more for each link of the chain. */
const maxRounds = 20

type Found = { readonly value: unknown } | { readonly error: LadingError }

/**
 * Renders a chart whose templates look at the cluster. Rendering never waits, so that what is asked for and not known yet is
 * noted and found empty; it is fetched, and the chart rendered again, until nothing new is asked for.
 */
export async function renderWithLookups(
  chart: Chart,
  options: Omit<RenderOptions, 'environment'>,
  world: RenderWorld,
  cluster: ClusterView | undefined,
  ctx: Context,
): Promise<RenderedChart> {
  if (cluster === undefined) return renderChart(chart, { ...options, environment: world.begin() })
  const known = new Map<string, Found>()
  for (let round = 0; round < maxRounds; round += 1) {
    const asked = new Map<string, LookupQuery>()
    const lookup = answering(known, asked)
    const how = { ...options, environment: { ...world.begin(), lookup } }
    try {
      const rendered = renderChart(chart, how)
      if (asked.size === 0) return withoutSecretUrls(rendered, known)
    } catch (error) {
      // One that was told "nothing" may fail for that alone: its failure counts only when there was nothing left to ask.
      if (asked.size === 0) throw error
    }
    for (const [key, query] of asked) known.set(key, await find(cluster, query, ctx))
  }
  const problem = `the chart ${chart.metadata.name} looks up something else each time it is rendered`
  throw new LadingError('chart.template', problem, { chart: chart.metadata.name })
}

// Only what has such an address is read as objects here: what is only printed need not be any.
function withoutSecretUrls(rendered: RenderedChart, known: ReadonlyMap<string, Found>): RenderedChart {
  const found = [...known.values()].flatMap((each) => ('value' in each ? [each.value] : []))
  if (found.length > 0 && rendered.manifests.some(({ text }) => text.includes('health-check-url'))) {
    refuseSecretUrls(rendered.objects, found)
  }
  return rendered
}

type Lookup = NonNullable<NonNullable<RenderOptions['environment']>['lookup']>

function answering(known: ReadonlyMap<string, Found>, asked: Map<string, LookupQuery>): Lookup {
  return (apiVersion, kind, namespace, name) => {
    const key = stringifyJson([apiVersion, kind, namespace, name])
    const found = known.get(key)
    if (found === undefined) {
      asked.set(key, { apiVersion, kind, namespace, name })
      return toValues({})
    }
    if ('error' in found) throw found.error
    return toValues(isRecord(found.value) ? (withIntegers(found.value) as Record<string, unknown>) : {})
  }
}

async function find(cluster: ClusterView, query: LookupQuery, ctx: Context): Promise<Found> {
  try {
    return { value: await cluster.lookup(query, ctx) }
  } catch (error) {
    if (!isLadingError(error) || isLadingError(error, 'cancelled')) throw error
    return { error }
  }
}

// Go reads the API server's whole numbers as int64, which templates print without an exponent.
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(withIntegers)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIntegers(item)]))
}

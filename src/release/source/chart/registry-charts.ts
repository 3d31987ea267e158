import { LadingError, stringifyJson } from '../../../core/index.ts'
import { openTarget, pullArtifact, type RegistryOptions, type Target } from '../../../oci/index.ts'
import { type ChartRegistry, newestVersion } from '../../../render/helm/index.ts'

/** Charts of registries, which keep each version of a chart under a tag. */
export function registryCharts(registry: RegistryOptions): ChartRegistry {
  return {
    tags: (reference, ctx) => closing(openTarget(reference, { registry }), ({ target }) => target.tags(ctx)),
    pull: (reference, range, ctx) =>
      closing(openTarget(reference, { registry }), async ({ target, tag, name, reference: parsed }) => {
        const isNamed = tag !== undefined || parsed?.digest !== undefined
        const wanted = isNamed ? name : versionTag(await target.tags(ctx), range ?? '*')
        if (wanted === undefined) throw noVersion(reference, range ?? '*')
        const { chart } = await pullArtifact(target, wanted, {}, ctx)
        if (chart === undefined)
          throw new LadingError('artifact.invalid', `${reference} is not a Helm chart`, { reference })
        return chart
      }),
  }
}

/** The tag of the newest version in a range; undefined if no tag is one. A tag has no plus: Helm writes an underscore for it. */
export function versionTag(tags: readonly string[], range: string): string | undefined {
  const versions = tags.map((each) => each.replaceAll('_', '+'))
  return newestVersion(versions, range)?.replaceAll('+', '_')
}

/** The error for a chart of which no version fits. */
export function noVersion(reference: string, range: string): LadingError {
  return new LadingError('chart.not-found', `no version of ${reference} fits ${stringifyJson(range)}`, { reference })
}

async function closing<Place extends { readonly target: Target }, Result>(
  place: Place,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(place)
  } finally {
    await place.target.close()
  }
}

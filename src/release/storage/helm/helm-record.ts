import type { ReleaseRecord } from '../../record/record.ts'
import type { ChartRelease, HelmRecord } from './helm-release.ts'

/** A new revision as Helm's storage shall keep it: with its chart, and since when there is a release. */
export function asHelmRecord(
  record: ReleaseRecord,
  chart: ChartRelease | undefined,
  previous: HelmRecord | undefined,
): HelmRecord {
  const first = previous?.helm?.info?.['first_deployed']
  return {
    ...record,
    ...(chart === undefined ? {} : { manifest: chart.manifest }),
    helm: {
      ...(chart === undefined ? {} : { chart: chart.chart, hooks: chart.hooks }),
      ...(first === undefined ? {} : { info: { first_deployed: first } }),
    },
  }
}

/** The chart that a stored revision carries, for a rollback to it. */
export function chartReleaseOf({ helm, manifest }: HelmRecord): ChartRelease | undefined {
  return helm?.chart === undefined ? undefined : { chart: helm.chart, manifest, hooks: helm.hooks ?? [] }
}

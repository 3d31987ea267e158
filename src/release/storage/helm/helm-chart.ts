import type { Chart, ChartFile, ChartMetadata, Dependency } from '../../../render/helm/index.ts'
import type { HelmChart, HelmFile } from './helm-release.ts'

/** A chart as Helm keeps it in a release: subcharts are left out there, what they gave stands in the manifest. */
export function toHelmChart({ metadata, lock, templates, values, schema, files }: Chart): HelmChart {
  return {
    metadata: toHelmMetadata(metadata),
    lock:
      lock === undefined
        ? null
        : {
            generated: timeOf(lock.generated),
            digest: lock.digest,
            dependencies: lock.dependencies.map(toHelmDependency),
          },
    templates: templates.map(toHelmFile),
    values,
    schema: schema === undefined ? null : Buffer.from(schema).toString('base64'),
    files: files.map(toHelmFile),
  }
}

function toHelmMetadata({ maintainers, dependencies, ...metadata }: ChartMetadata): Record<string, unknown> {
  return given({
    ...metadata,
    maintainers: maintainers.map((maintainer) => given({ ...maintainer })),
    dependencies: dependencies.map(toHelmDependency),
  })
}

function toHelmDependency({ importValues, repository, ...dependency }: Dependency): Record<string, unknown> {
  return { ...given({ ...dependency, 'import-values': importValues }), repository }
}

// Go refuses what is no time of RFC 3339.
function timeOf(text: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : '0001-01-01T00:00:00Z'
}

function toHelmFile({ name, data }: ChartFile): HelmFile {
  return { name, data: Buffer.from(data).toString('base64') }
}

/** What Go writes of a struct whose fields are all `omitempty`. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      if (Array.isArray(value)) return value.length > 0
      return value !== undefined && value !== '' && value !== false
    }),
  )
}

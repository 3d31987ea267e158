import { writeNumber } from '../../kustomize/write/write-number.ts'
import { writeString } from '../../kustomize/write/write-scalar.ts'
import type { ChartLock, ChartMetadata, Dependency } from '../chart/chart.ts'
import { writeBlockYaml } from '../functions/formats/write-block-yaml.ts'

/** Writes Chart.yaml as Helm does into an archive: sorted, without what is empty, and without what v1 has in requirements.yaml. */
export function writeChartYaml(metadata: ChartMetadata): string {
  return writeMetadata(metadata.apiVersion === 'v1' ? { ...metadata, dependencies: [] } : metadata)
}

/** Writes all that is known of a chart, as `helm show chart` does. */
export function writeMetadata({ dependencies, maintainers, annotations, ...rest }: ChartMetadata): string {
  return writeGoYaml(
    filled({
      ...rest,
      annotations: annotations === undefined || Object.keys(annotations).length === 0 ? undefined : annotations,
      maintainers: maintainers.map((maintainer) => filled({ ...maintainer })),
      dependencies: dependencies.map(dependencyFields),
    }),
  )
}

/** Writes Chart.lock as Helm does. */
export function writeLock({ dependencies, digest, generated }: ChartLock): string {
  return writeGoYaml({ dependencies: dependencies.map(dependencyFields), digest, generated })
}

/** A row of dependencies as Go's JSON has it: in the order of its struct, empty fields left out, the repository always there. */
export function dependencyFields(dependency: Dependency): Record<string, unknown> {
  const { name, version, repository, condition, tags, enabled, importValues, alias } = dependency
  return {
    name,
    ...filled({ version }),
    repository,
    ...filled({ condition, tags, enabled, 'import-values': importValues, alias }),
  }
}

function writeGoYaml(value: unknown): string {
  return `${writeBlockYaml(value, { indentsLists: false, text: writeString, number: writeNumber })}\n`
}

function filled(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)
}

import { isDnsSubdomain, LadingError, stringifyJson } from '../../../core/index.ts'
import type { Chart } from './chart.ts'

/** As Helm's message shows it. */
const namePattern = String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
const longestName = 53

/** Refuses what Helm does not install: a library chart, missing dependencies, a bad release name. */
export function checkInstallable({ metadata, dependencies }: Chart, name: string): void {
  if (metadata.type !== '' && metadata.type !== 'application') {
    throw new LadingError('chart.invalid', `${metadata.type} charts are not installable`, { chart: metadata.name })
  }
  const present = new Set(dependencies.map((dependency) => dependency.metadata.name))
  const missing = metadata.dependencies.filter((row) => !present.has(row.name)).map((row) => row.name)
  if (missing.length > 0) {
    const problem = `found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`
    throw new LadingError('chart.dependency', problem, { chart: metadata.name, missing })
  }
  if (name.length > longestName || !isDnsSubdomain(name)) {
    const problem = `release name check failed: release name ${stringifyJson(name)}: invalid release name, must match regex ${namePattern} and the length must not be longer than ${longestName}`
    throw new LadingError('values.invalid', problem, { release: name })
  }
}

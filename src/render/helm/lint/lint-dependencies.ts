import type { Loaded, Report } from './lint-chart.ts'

/** Compares what Chart.yaml depends on with what lies in charts/. */
export function lintDependencies(chart: Loaded, path: string, report: Report): void {
  if (typeof chart === 'string') return report('error', '', `unable to load chart\n\t${chart}`)
  const wanted = chart.metadata.dependencies
  const present = chart.dependencies.map(({ metadata }) => metadata.name)
  const unknown = present.filter((name) => !wanted.some((each) => each.name === name))
  if (unknown.length > 0) report('error', path, `chart metadata is missing these dependencies: ${unknown.join(',')}`)
  const keys = wanted.map(({ name, alias }) => (alias === '' ? name : alias))
  const double = keys.filter((key, at) => keys.indexOf(key) !== at)
  if (double.length > 0) report('error', path, `multiple dependencies with name or alias: ${double.join(',')}`)
  const missing = wanted.filter(({ name }) => !present.includes(name)).map(({ name }) => name)
  if (missing.length > 0) report('warning', path, `chart directory is missing these dependencies: ${missing.join(',')}`)
}

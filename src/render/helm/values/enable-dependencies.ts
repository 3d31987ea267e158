import type { Dependency } from '../chart/chart.ts'
import { isInRange } from '../chart/version-range.ts'
import { coalesceChart, type CoalesceOptions } from './coalesce.ts'
import { scalarAt, tableAt } from './table-at.ts'
import type { Values } from './values.ts'
import { type WorkingChart, workingChart } from './working-chart.ts'

/**
 * Drops the subcharts that tags and conditions switch off and makes a copy for every alias. A subchart that Chart.yaml does
 * not list stays. `path` is where the chart's own values are, as conditions of nested charts are read from the top.
 */
export function enableDependencies(chart: WorkingChart, given: Values, path: string, options: CoalesceOptions): void {
  if (chart.requirements.length === 0) return
  chart.dependencies = listedDependencies(chart)
  const requirements = chart.requirements.map((row) => (row.alias === '' ? row : { ...row, name: row.alias }))
  const values = coalesceChart(chart, given, options)
  const disabled = new Set<string>()
  for (const row of requirements) {
    if (!isEnabled(row, values, path, options)) disabled.add(row.name)
  }
  const kept = chart.dependencies.filter(({ name }) => !disabled.has(name))
  for (const dependency of kept) enableDependencies(dependency, values, `${path}${dependency.name}.`, options)
  chart.requirements = requirements.filter(({ name }) => !disabled.has(name)).map((row) => ({ ...row, enabled: true }))
  chart.metadata = { ...chart.metadata, dependencies: chart.requirements }
  chart.dependencies = kept
}

function listedDependencies(chart: WorkingChart): WorkingChart[] {
  const isListed = ({ name, metadata }: WorkingChart) =>
    chart.requirements.some((row) => row.name === name && isInRange(row.version, metadata.version))
  const dependencies = chart.dependencies.filter((dependency) => !isListed(dependency))
  for (const row of chart.requirements) {
    const found = chart.dependencies.find(
      ({ name, metadata }) => name === row.name && isInRange(row.version, metadata.version),
    )
    if (found !== undefined) dependencies.push(aliased(found, row.alias, chart))
  }
  return dependencies
}

function aliased(found: WorkingChart, alias: string, parent: WorkingChart): WorkingChart {
  const copy = workingChart(found.chart, parent)
  if (alias === '') return copy
  copy.name = alias
  copy.metadata = { ...copy.metadata, name: alias }
  return copy
}

// Tags decide first; the first condition that names a boolean overrides them.
function isEnabled(row: Dependency, values: Values, path: string, options: CoalesceOptions): boolean {
  for (const condition of row.condition.trim().split(',')) {
    if (condition === '') continue
    const value = scalarAt(values, path + condition)
    if (typeof value === 'boolean') return value
    if (value !== undefined) options.warn(`returned non-bool value: path ${condition}, chart ${row.name}`)
  }
  return isTagged(row, values, options)
}

function isTagged(row: Dependency, values: Values, options: CoalesceOptions): boolean {
  const tags = tableAt(values, 'tags')
  if (!('table' in tags)) return true
  const states = row.tags.filter((tag) => tag in tags.table).map((tag) => tags.table[tag])
  if (states.some((state) => typeof state !== 'boolean')) {
    options.warn(`returned non-bool value: tags of chart ${row.name}`)
  }
  return states.includes(true) || !states.includes(false)
}

import { isRecord, stringifyJson } from '../../../core/index.ts'
import { coalesceChart, type CoalesceOptions, coalesceTables } from './coalesce.ts'
import { tableAt } from './table-at.ts'
import { copyValues, newValues, type Values } from './values.ts'
import type { WorkingChart } from './working-chart.ts'

/** Lets parents take values of their subcharts (`import-values`), deepest first; a parent's own values win. */
export function importValues(chart: WorkingChart, options: CoalesceOptions): void {
  for (const dependency of chart.dependencies) importValues(dependency, options)
  if (chart.requirements.length === 0) return
  const merging = { ...options, keepNulls: true }
  const values = coalesceChart(chart, newValues(), merging)
  let imported = newValues()
  for (const row of chart.requirements) {
    for (const entry of row.importValues) {
      const taken = importedBy(entry, row.name, values, options)
      if (taken !== undefined) imported = coalesceTables(imported, taken, merging)
    }
  }
  chart.values = coalesceTables(copyValues(values), imported, merging)
  chart.requirements = chart.requirements.map((row) => ({ ...row, importValues: row.importValues.flatMap(bothForms) }))
  chart.metadata = { ...chart.metadata, dependencies: chart.requirements }
}

function importedBy(entry: unknown, chart: string, values: Values, options: CoalesceOptions): Values | undefined {
  const [form] = bothForms(entry)
  if (form === undefined) return undefined
  const found = tableAt(values, `${chart}.${form.child}`)
  if (!('table' in found)) {
    options.warn(`ImportValues missing table from chart ${chart}: "${found.missing}" is not a table`)
    return undefined
  }
  return nest(form.parent, found.table)
}

// The short form names a key below `exports` of the subchart, laid over the parent's top.
function bothForms(entry: unknown): { child: string; parent: string }[] {
  if (typeof entry === 'string') return [{ child: `exports.${entry}`, parent: '.' }]
  if (!isRecord(entry)) return []
  return [{ child: asText(entry['child']), parent: asText(entry['parent']) }]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '<nil>' : stringifyJson(value)
}

function nest(path: string, values: Values): Values {
  if (path === '.') return values
  return path.split('.').reduceRight<Values>((below, key) => {
    const table = newValues()
    table[key] = below
    return table
  }, values)
}

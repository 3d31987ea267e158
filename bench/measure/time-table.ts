import type { Table } from '../benchmark.ts'
import type { Series, Summary } from './series.ts'

/** What a table of times shows beside the times. */
export interface TimeTableOptions {
  readonly note?: string
  /** How many objects a run handles; adds how many that are each second. */
  readonly objects?: number
}

/** The table of a series, the first row being what the others are compared to. */
export function timeTable(title: string, series: Series, options: TimeTableOptions = {}): Table {
  const names = series.rowNames()
  const [reference = ''] = names
  const rows = names.map((name) => ({ name, summary: series.summary(name, reference) }))
  const columns = chosenColumns(rows, options.objects)
  return {
    title,
    ...(options.note !== undefined && { note: options.note }),
    columns: ['', ...columns.map(({ head }) => head)],
    rows: rows.map(({ name, summary }) => [name, ...columns.map(({ cell }) => cell(summary))]),
  }
}

interface Column {
  readonly head: string
  readonly cell: (summary: Summary) => string
}

// A column that no row has a value for is left out.
function chosenColumns(rows: readonly { readonly summary: Summary }[], objects: number | undefined): Column[] {
  const any = (has: (summary: Summary) => unknown): boolean => rows.some(({ summary }) => has(summary) !== undefined)
  const optional = (wanted: boolean, column: Column): Column[] => (wanted ? [column] : [])
  return [
    { head: 'median', cell: ({ medianMs }) => duration(medianMs) },
    { head: 'best', cell: ({ bestMs }) => duration(bestMs) },
    { head: 'ratio', cell: ({ ratio }) => (ratio === undefined ? '–' : `${ratio.toFixed(2)}×`) },
    ...optional(objects !== undefined, {
      head: 'objects/s',
      cell: ({ medianMs }) => (medianMs === undefined ? '–' : (((objects ?? 0) * 1000) / medianMs).toFixed(0)),
    }),
    ...optional(
      any(({ cpuMs }) => cpuMs),
      { head: 'cpu', cell: ({ cpuMs }) => duration(cpuMs) },
    ),
    ...optional(
      any(({ peakBytes }) => peakBytes),
      { head: 'peak memory', cell: ({ peakBytes }) => megabytes(peakBytes) },
    ),
    { head: 'rounds', cell: ({ rounds }) => String(rounds) },
    ...optional(
      any(({ failure }) => failure),
      { head: 'failed with', cell: ({ failure }) => failure ?? '' },
    ),
  ]
}

/** A time for people. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return '–'
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`
}

/** An amount of memory for people. */
export function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? 'n/a' : `${(bytes / 1024 / 1024).toFixed(0)} MB`
}

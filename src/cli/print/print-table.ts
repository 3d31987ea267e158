import { oneLine, stringifyJson } from '../../core/index.ts'

/** Rows for a person, in columns named after the rows' fields. */
export interface Table<Row extends object> {
  readonly rows: readonly Row[]
  readonly columns: readonly (keyof Row & string)[]
}

/** Aligns rows under upper-case headings, as kubectl does. */
export function formatTable<Row extends object>({ rows, columns }: Table<Row>): string {
  const heading = columns.map((column) => column.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toUpperCase())
  const lines = [heading, ...rows.map((row) => columns.map((column) => cell(row[column])))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((text, index) => text.padEnd(widths[index] ?? 0))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('')
}

function cell(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-'
  // A line break would make a row of its own of what somebody wrote.
  return oneLine(typeof value === 'string' ? value.trim() : stringifyJson(value))
}

import type { Benchmark, Table } from './benchmark.ts'

/** What a benchmark gave. */
export interface BenchmarkResult {
  readonly benchmark: Benchmark
  readonly tables: readonly Table[]
  /** Why it did not come to its end. */
  readonly error?: string
}

/** A table in Markdown, its columns aligned so that it can be read on a terminal as well. */
export function formatTable({ title, note, columns, rows }: Table): string {
  const escaped = [columns, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = columns.map((_, at) => Math.max(3, ...escaped.map((row) => row[at]?.length ?? 0)))
  // Names and reasons are read from the left, numbers compared from the right.
  const left = columns.map((column, at) => at === 0 || column === 'failed with')
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => (left[at] === true ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (left[at] === true ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const [head = [], ...body] = escaped
  return [`### ${title}`, '', ...(note === undefined ? [] : [note, '']), line(head), rule, ...body.map(line), ''].join(
    '\n',
  )
}

/** The whole run as a document. */
export function formatResults(about: readonly string[], results: readonly BenchmarkResult[]): string {
  const sections = results.map(({ benchmark, tables, error }) =>
    [
      `## ${benchmark.name}`,
      '',
      `Compares ${benchmark.compares}.`,
      '',
      ...(error === undefined ? [] : [`**Did not come to its end:** ${error}`, '']),
      ...tables.map(formatTable),
    ].join('\n'),
  )
  const intro =
    'Written by `npm run bench`; what the numbers mean is told in [docs/benchmarks.md](../docs/benchmarks.md).'
  return ['# Results of the bench', '', intro, '', ...about.map((line) => `- ${line}`), '', ...sections].join('\n')
}

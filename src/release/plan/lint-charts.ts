import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { compareText, type Context } from '../../core/index.ts'
import { lintChart, type LintMessage, type LintOptions } from '../../render/helm/index.ts'
import { annotationMistakes } from './check-annotations.ts'
import { annotationWarnings } from '../annotations/unknown-annotations.ts'

/** How charts are linted. */
export interface LintChartsOptions extends Omit<LintOptions, 'problemsOf' | 'warningsOf'> {
  /** The folder that paths start from (default: the working directory). */
  readonly cwd?: string
  /** Also lints the charts below charts/ (default: false). */
  readonly withSubcharts?: boolean
  /** Counts warnings as failures (default: false). */
  readonly strict?: boolean
}

/** What was found in one chart. */
export interface LintResult {
  readonly chart: string
  readonly messages: readonly LintMessage[]
  readonly failed: boolean
}

/** Lints charts by Helm's rules, and the annotations that Lading reads. */
export async function lintCharts(
  charts: readonly string[],
  { cwd, withSubcharts = false, strict = false, ...options }: LintChartsOptions,
  ctx: Context,
): Promise<LintResult[]> {
  const place = (path: string): string => (cwd === undefined ? path : resolve(cwd, path))
  const below = withSubcharts ? await subcharts(charts, place) : []
  const how: LintOptions = {
    ...options,
    problemsOf: (object) => annotationMistakes(object).map(({ message }) => message),
    warningsOf: annotationWarnings,
  }
  const results: LintResult[] = []
  for (const chart of [...charts, ...below]) {
    const messages = await lintChart(place(chart), how, ctx)
    const isFailure = ({ severity }: LintMessage): boolean => severity === 'error' || (strict && severity === 'warning')
    results.push({ chart, messages, failed: messages.some(isFailure) })
  }
  return results
}

/** The charts below charts/ of each chart, each before what lies below it. */
async function subcharts(charts: readonly string[], place: (path: string) => string): Promise<string[]> {
  const found: string[] = []
  for (const chart of charts) {
    const entries = await readdir(join(place(chart), 'charts'), { recursive: true }).catch(() => [])
    for (const path of entries.sort(compareText)) {
      if (basename(path) === 'Chart.yaml') found.push(join(chart, 'charts', dirname(path)))
      else if (/\.(?:tgz|tar\.gz)$/.test(path)) found.push(join(chart, 'charts', path))
    }
  }
  return found
}

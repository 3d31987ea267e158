import { type Context, context, isLadingError, type KubeObject } from '../../../core/index.ts'
import type { Chart } from '../chart/chart.ts'
import { newValues, type Values, toValues } from '../values/values.ts'
import { lintChartFile } from './lint-chart-file.ts'
import { lintCrds } from './lint-crds.ts'
import { lintDependencies } from './lint-dependencies.ts'
import { lintInput } from './lint-input.ts'
import { lintTemplates } from './lint-templates.ts'
import { lintValues } from './lint-values.ts'

/** How bad it is. */
export type LintSeverity = 'info' | 'warning' | 'error'

/** One thing that a chart does wrong, and where. */
export interface LintMessage {
  readonly severity: LintSeverity
  /** A file or folder of the chart; its own path for dependencies, empty for the chart as a whole. */
  readonly path: string
  readonly message: string
}

/** With what a chart is looked at. */
export interface LintOptions {
  readonly values?: Readonly<Record<string, unknown>>
  readonly namespace?: string
  /** What it is held against for deprecated APIs and capabilities. */
  readonly kubeVersion?: string
  readonly skipSchemaValidation?: boolean
  /** What else is wrong with an object that a template gives, in one sentence each. */
  readonly problemsOf?: (object: KubeObject) => readonly string[]
  /** What else to warn of in such an object. */
  readonly warningsOf?: (object: KubeObject) => readonly string[]
  /** Follow symlinks of the chart's folder wherever they lead. */
  readonly followLinks?: boolean
}

/** Notes one finding. */
export type Report = (severity: LintSeverity, path: string, message: string) => void

/** Looks for mistakes in a chart's folder or archive, by the rules of `helm lint`. */
export async function lintChart(
  path: string,
  options: LintOptions = {},
  ctx: Context = context(),
): Promise<LintMessage[]> {
  const messages: LintMessage[] = []
  const report: Report = (severity, at, message) => void messages.push({ severity, path: at, message })
  const input = await lintInput(path, options.followLinks)
  const given: Values = options.values === undefined ? newValues() : toValues(options.values)
  const isKnown = await lintChartFile(input, report)
  await lintValues(input, given, options.skipSchemaValidation === true, report)
  // What kind of chart it would be is unknown: that is said already.
  if (!isKnown) return messages
  const loaded = await load(() => input.load())
  await lintTemplates(input, loaded, given, options, report, ctx)
  lintDependencies(loaded, path, report)
  await lintCrds(input, loaded, report)
  return messages
}

/** A chart, or the sentence that says why it cannot be loaded. */
export type Loaded = Chart | string

async function load(read: () => Promise<Chart>): Promise<Loaded> {
  try {
    return await read()
  } catch (error) {
    if (isLadingError(error)) return error.message
    throw error
  }
}

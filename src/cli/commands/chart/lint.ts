import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Command } from 'commander'
import { compareText, context, defined, type KubeObject, LadingError, oneLine } from '../../../core/index.ts'
import type { LintMessage } from '../../../render/helm/index.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import type { GlobalOptions } from '../../options/options.ts'
import { printDocument } from '../../print/print-data.ts'
import { paragraph } from '../../print/print-line.ts'
import { addContentOptions, type ContentFlags, followLinksHelp } from '../../options/release-options.ts'
import { lintedValues } from '../../options/linted-values.ts'

interface LintFlags extends GlobalOptions, ContentFlags {
  readonly strict?: boolean
  readonly quiet?: boolean
  readonly withSubcharts?: boolean
}

interface LintResult {
  readonly chart: string
  readonly messages: readonly LintMessage[]
  readonly failed: boolean
}

/** `lading lint`: mistakes in charts. */
export function lintCommand(io: Io): Command {
  const command = new Command('lint')
    .description('look for mistakes in charts, by Helm’s rules')
    .argument('<chart...>', 'folders or .tgz of charts')
    .option('--strict', 'fail for warnings too')
    .option('--quiet', 'print only warnings and errors')
    .option('--with-subcharts', 'look at the charts below charts/ too')
    .option('--kube-version <version>', 'version of Kubernetes to hold deprecated APIs against')
    .option('--follow-links', followLinksHelp)
    .option('--skip-schema-validation', 'do not hold values to values.schema.json')
  return addContentOptions(command)
    .addHelpText(
      'after',
      '\nIt fails where there is an error; with --strict, for a warning too.\n\nExample:\n  lading lint ./shop --strict',
    )
    .action(async (charts: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<LintFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { lintChart } = await import('../../../render/helm/index.ts')
      const { annotationMistakes, annotationWarnings } = await import('../../../release/index.ts')
      const problemsOf = (object: KubeObject): string[] => annotationMistakes(object).map(({ message }) => message)
      const values = await lintedValues(io, options, ctx)
      const { namespace, kubeVersion, skipSchemaValidation, followLinks } = options
      const results: LintResult[] = []
      const below = options.withSubcharts === true ? await subcharts(io, charts) : []
      for (const chart of [...charts, ...below]) {
        const how = {
          values,
          problemsOf,
          warningsOf: annotationWarnings,
          ...defined({ namespace, kubeVersion, skipSchemaValidation, followLinks }),
        }
        const found = await lintChart(pathFrom(io, chart), how, ctx)
        const messages = options.quiet === true ? found.filter(({ severity }) => severity !== 'info') : found
        results.push({ chart, messages, failed: found.some((message) => isFailure(message, options.strict === true)) })
      }
      const shown = options.quiet === true ? results.filter(({ messages }) => messages.length > 0) : results
      await printDocument(io, options.output, shown, () =>
        shown.map(({ chart, messages }) => textOf(chart, messages)).join('\n'),
      )
      const failed = results.filter((result) => result.failed).map(({ chart }) => chart)
      if (failed.length > 0) {
        throw new LadingError('chart.lint', `${failed.length} of ${results.length} charts failed: ${failed.join(', ')}`)
      }
    })
}

/** Charts below the folders of charts, each before what lies below it. */
async function subcharts(io: Io, charts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const chart of charts) {
    const entries = await readdir(join(pathFrom(io, chart), 'charts'), { recursive: true }).catch(() => [])
    for (const path of entries.sort(compareText)) {
      if (basename(path) === 'Chart.yaml') found.push(join(chart, 'charts', dirname(path)))
      else if (/\.(?:tgz|tar\.gz)$/.test(path)) found.push(join(chart, 'charts', path))
    }
  }
  return found
}

function isFailure({ severity }: LintMessage, strict: boolean): boolean {
  return severity === 'error' || (strict && severity === 'warning')
}

function textOf(chart: string, messages: readonly LintMessage[]): string {
  const lines = messages.map(
    ({ severity, path, message }) =>
      `${paragraph(`[${severity.toUpperCase()}] ${oneLine(path)}: ${message}`).join('\n')}\n`,
  )
  return `==> ${oneLine(chart)}\n${lines.join('')}`
}

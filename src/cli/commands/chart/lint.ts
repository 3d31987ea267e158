import { Command } from 'commander'
import { context, LadingError, oneLine } from '../../../core/index.ts'
import type { LintMessage } from '../../../render/helm/index.ts'
import type { LintResult } from '../../../release/index.ts'
import { folderOf } from '../../connect.ts'
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
      const { lintCharts } = await import('../../../release/index.ts')
      const { namespace, kubeVersion, skipSchemaValidation, followLinks, withSubcharts, strict } = options
      const values = await lintedValues(io, options, ctx)
      const how = { values, namespace, kubeVersion, skipSchemaValidation, followLinks, withSubcharts, strict }
      const found = await lintCharts(charts, { ...how, cwd: folderOf(io) }, ctx)
      const results = options.quiet === true ? found.map(withoutInfo) : found
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

function withoutInfo({ messages, ...result }: LintResult): LintResult {
  return { ...result, messages: messages.filter(({ severity }) => severity !== 'info') }
}

function textOf(chart: string, messages: readonly LintMessage[]): string {
  const lines = messages.map(
    ({ severity, path, message }) =>
      `${paragraph(`[${severity.toUpperCase()}] ${oneLine(path)}: ${message}`).join('\n')}\n`,
  )
  return `==> ${oneLine(chart)}\n${lines.join('')}`
}

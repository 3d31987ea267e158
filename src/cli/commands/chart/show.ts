import { Command } from 'commander'
import { context } from '../../../core/index.ts'
import type { ShownChart } from '../../../render/helm/index.ts'
import { addChartOptions, type ChartFlags, chartOptions } from '../../options/chart-options.ts'
import { folderOf } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { printDocument } from '../../print/print-data.ts'
import { addRegistryOptions } from '../../options/registry-options.ts'
import { followLinksHelp } from '../../options/release-options.ts'

const parts = {
  chart: 'what Chart.yaml says',
  values: 'values.yaml, with its comments',
  readme: 'the README',
  crds: 'the CustomResourceDefinitions',
  all: 'Chart.yaml, values.yaml, the README and the CustomResourceDefinitions',
} as const

/** `lading show`: what a chart says about itself. */
export function showCommand(io: Io): Command {
  const command = new Command('show')
    .description('show what a chart says about itself, wherever it lies')
    .addHelpText('after', '\nExample:\n  lading show values shop/cart --version ^1')
  for (const part of Object.keys(parts) as (keyof typeof parts)[]) command.addCommand(partCommand(io, part))
  return command
}

function partCommand(io: Io, part: keyof typeof parts): Command {
  const command = new Command(part)
    .description(`show ${parts[part]} of a chart`)
    .argument('<chart>', 'a folder, a .tgz, REPO/CHART, https://….tgz, oci://…, or a name with --repo')
    .option('--follow-links', followLinksHelp)
  return addRegistryOptions(addChartOptions(command))
    .addHelpText('after', `\nExample:\n  lading show ${part} ./shop`)
    .action(async (text: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ChartFlags & { readonly followLinks?: boolean }>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { showChart } = await import('../../../render/helm/index.ts')
      const { openChart } = await import('../../../release/source/chart/index.ts')
      const { followLinks } = options
      const which = { ...(await chartOptions(io, options)), cwd: folderOf(io), followLinks }
      const chart = await openChart(text, which, ctx)
      const shown = showChart(chart)
      const data =
        part === 'all'
          ? { ...shown, chart: chart.metadata }
          : part === 'chart'
            ? chart.metadata
            : { [part]: shown[part] }
      await printDocument(io, options.output, data, () => textOf(shown, part))
    })
}

// The layout is Helm's: documents apart in `all`, every definition behind its own line of dashes.
function textOf({ chart, values, readme, crds }: ShownChart, part: keyof typeof parts): string {
  const all = part === 'all'
  const between = all ? '---\n' : ''
  const shown: string[] = []
  if (all || part === 'chart') shown.push(`${chart}\n`)
  if ((all || part === 'values') && values !== undefined) shown.push(`${between}${values}\n`)
  if ((all || part === 'readme') && readme !== undefined) shown.push(`${between}${readme}\n`)
  if (all || part === 'crds') for (const crd of crds) shown.push(`${crd.startsWith('---') ? '' : '---\n'}${crd}\n`)
  return shown.join('')
}

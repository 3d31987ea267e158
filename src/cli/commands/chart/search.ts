import { Command } from 'commander'
import { context, defined, LadingError } from '../../../core/index.ts'
import { chartAccess } from '../../options/chart-options.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import type { GlobalOptions } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'

interface SearchFlags extends GlobalOptions {
  readonly version?: string
  readonly devel?: boolean
  readonly versions?: boolean
}

/** `lading search`: charts of the repositories that were added. */
export function searchCommand(io: Io): Command {
  const repo = new Command('repo')
    .description('search the chart repositories that were added, by name, description and keywords')
    .argument('[word...]', 'words that all have to occur')
    .option('--version <range>', 'only versions in this range')
    .option('--devel', 'prereleases too')
    .option('-l, --versions', 'every version, not only the newest')
    .addHelpText('after', '\nExample:\n  lading search repo ingress --version ">=1.2 <2"')
    .action(async (words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<SearchFlags>()
      const { openRepositories, searchCharts } = await import('../../../render/helm/index.ts')
      const { home, fetch } = await chartAccess(io, options)
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { version, devel, versions } = options
      const repositories = openRepositories(home, fetch)
      if ((await repositories.list()).length === 0)
        throw new LadingError('repo.not-found', 'there are no chart repositories to search')
      const found = await searchCharts(repositories, { words, ...defined({ version, devel, versions }) }, ctx)
      const rows = found.map((row) => ({
        ...row,
        description: `${row.deprecated ? 'DEPRECATED: ' : ''}${row.description}`,
      }))
      await printData(io, options.output, found, { rows, columns: ['name', 'version', 'appVersion', 'description'] })
    })
  return new Command('search')
    .description('search for charts')
    .addCommand(repo)
    .addHelpText('after', '\nExample:\n  lading search repo ingress')
}

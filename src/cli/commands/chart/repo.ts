import { Command } from 'commander'
import { context, LadingError } from '../../../core/index.ts'
import { addLoginOptions, chartAccess, type ChartFlags, repositoryOf } from '../../options/chart-options.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import type { GlobalOptions } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'

/** `lading repo`: the chart repositories of the user, in Helm's own file. */
export function repoCommand(io: Io): Command {
  return new Command('repo')
    .description('add, list, refresh and remove chart repositories; Helm sees the same ones')
    .addCommand(addCommand(io))
    .addCommand(listCommand(io))
    .addCommand(updateCommand(io))
    .addCommand(removeCommand(io))
    .addHelpText('after', '\nExample:\n  lading repo add shop https://charts.example.com')
}

interface AddFlags extends ChartFlags {
  readonly forceUpdate?: boolean
}

function addCommand(io: Io): Command {
  const command = new Command('add')
    .description('add a chart repository once its index could be read')
    .argument('<name>', 'name of the repository, as in NAME/CHART')
    .argument('<url>', 'address of the folder that holds index.yaml')
    .option('--force-update', 'replace a repository of that name')
    .option('--insecure-skip-tls-verify', 'do not verify the certificate of the repository')
  return addLoginOptions(command)
    .addHelpText(
      'after',
      '\nExample:\n  lading repo add shop https://charts.example.com --username me --password-stdin',
    )
    .action(async (name: string, url: string, _options, command: Command) => {
      const options = command.optsWithGlobals<AddFlags>()
      const repositories = await open(io, options)
      const entry = { name, ...(await repositoryOf(io, url, options)) }
      const status = await repositories.add(
        entry,
        { forceUpdate: options.forceUpdate === true },
        contextOf(io, options),
      )
      await printData(
        io,
        options.output,
        { name, url, status },
        { rows: [{ name, url, status }], columns: ['name', 'url', 'status'] },
      )
    })
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the chart repositories')
    .addHelpText('after', '\nExample:\n  lading repo list -o json')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const entries = await (await open(io, options)).list()
      const rows = entries.map(({ name, url }) => ({ name, url }))
      await printData(io, options.output, rows, { rows, columns: ['name', 'url'] })
    })
}

function updateCommand(io: Io): Command {
  return new Command('update')
    .description('fetch the indexes of all chart repositories, or of those that are named')
    .argument('[name...]', 'names of repositories')
    .addHelpText('after', '\nExample:\n  lading repo update shop')
    .action(async (names: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const repositories = await open(io, options)
      if ((await repositories.list()).length === 0)
        throw new LadingError('repo.not-found', 'there are no chart repositories to update')
      const rows = await repositories.update(names, contextOf(io, options))
      await printData(io, options.output, rows, { rows, columns: ['name', 'charts', 'problem'] })
      const failed = rows.filter(({ problem }) => problem !== undefined)
      if (failed.length === 0) return
      const list = failed.map(({ name, problem }) => `${name}: ${problem ?? ''}`).join('; ')
      throw new LadingError(
        'repo.unreachable',
        `${failed.length} of ${rows.length} repositories were not updated: ${list}`,
      )
    })
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .description('remove chart repositories and what is cached of them')
    .argument('<name...>', 'names of repositories')
    .addHelpText('after', '\nExample:\n  lading repo remove shop')
    .action(async (names: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const repositories = await open(io, options)
      for (const name of names) await repositories.find(name)
      for (const name of names) await repositories.remove(name)
      const rows = names.map((name) => ({ name, status: 'removed' }))
      await printData(io, options.output, rows, { rows, columns: ['name', 'status'] })
    })
}

async function open(io: Io, options: GlobalOptions) {
  const { openRepositories } = await import('../../../render/helm/index.ts')
  const { home, fetch } = await chartAccess(io, options)
  return openRepositories(home, fetch)
}

function contextOf(io: Io, options: GlobalOptions) {
  return context({ signal: io.signal, log: lineLog(options.logLevel, io) })
}

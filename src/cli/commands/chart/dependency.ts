import { Command } from 'commander'
import { context } from '../../../core/index.ts'
import { chartAccess, keyringOf } from '../../options/chart-options.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { printData } from '../../print/print-data.ts'
import { addRegistryOptions, type RegistryFlags } from '../../options/registry-options.ts'
import { followLinksHelp } from '../../options/release-options.ts'

interface DependencyFlags extends RegistryFlags {
  readonly verify?: boolean
  readonly keyring?: string
  readonly followLinks?: boolean
}

/** `lading dependency`: the charts that a chart depends on. */
export function dependencyCommand(io: Io): Command {
  return new Command('dependency')
    .alias('dep')
    .description('list, choose and fetch the charts that a chart depends on')
    .addCommand(listCommand(io))
    .addCommand(bringCommand(io, 'update'))
    .addCommand(bringCommand(io, 'build'))
    .addHelpText('after', '\nExample:\n  lading dependency update ./shop')
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the dependencies of a chart and whether charts/ has them')
    .argument('<chart>', 'folder of the chart')
    .option('--follow-links', followLinksHelp)
    .addHelpText('after', '\nExample:\n  lading dependency list ./shop')
    .action(async (chart: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DependencyFlags>()
      const { listDependencies, readChartFolder } = await import('../../../render/helm/index.ts')
      const folder = pathFrom(io, chart)
      const rows = await listDependencies(
        await readChartFolder(folder, { followLinks: options.followLinks === true }),
        folder,
      )
      await printData(io, options.output, rows, { rows, columns: ['name', 'version', 'repository', 'status'] })
    })
}

const words = {
  update: 'choose versions anew, fetch them into charts/ and write Chart.lock',
  build: 'fetch into charts/ what Chart.lock names; without a lock, as update',
}

function bringCommand(io: Io, name: 'update' | 'build'): Command {
  const command = new Command(name)
    .description(words[name])
    .argument('<chart>', 'folder of the chart')
    .option('--follow-links', followLinksHelp)
    .option('--verify', 'refuse charts that no key of the keyring signed')
    .option('--keyring <file>', 'OpenPGP keyring for --verify (default: gpg’s own pubring.gpg)')
  return addRegistryOptions(command)
    .addHelpText('after', `\nExample:\n  lading dependency ${name} ./shop`)
    .action(async (chart: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DependencyFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { buildDependencies, updateDependencies } = await import('../../../render/helm/index.ts')
      const run = name === 'update' ? updateDependencies : buildDependencies
      const keyring = options.verify === true ? { keyring: await keyringOf(io, options.keyring) } : {}
      const how = { ...keyring, followLinks: options.followLinks === true }
      const { lock, saved, removed } = await run(pathFrom(io, chart), how, await chartAccess(io, options), ctx)
      const rows = saved.map((row) => ({ ...row, file: `charts/${row.file}` }))
      const data = { digest: lock?.digest, saved: rows, removed: removed.map((file) => `charts/${file}`) }
      await printData(io, options.output, data, { rows, columns: ['name', 'version', 'repository', 'file'] })
    })
}

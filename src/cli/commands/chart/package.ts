import { Command } from 'commander'
import { context, defined, LadingError } from '../../../core/index.ts'
import { chartAccess, keyringOf } from '../../options/chart-options.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { printData } from '../../print/print-data.ts'
import { readText } from '../../files/read-text.ts'
import { addRegistryOptions, type RegistryFlags } from '../../options/registry-options.ts'
import { followLinksHelp } from '../../options/release-options.ts'

interface PackageFlags extends RegistryFlags {
  readonly version?: string
  readonly appVersion?: string
  readonly destination?: string
  readonly dependencyUpdate?: boolean
  readonly sign?: boolean
  readonly key?: string
  readonly keyring?: string
  readonly passphraseFile?: string
  readonly followLinks?: boolean
}

/** `lading package`: a chart's folder as an archive. */
export function packageCommand(io: Io): Command {
  const command = new Command('package')
    .description('pack charts into archives; the same chart gives the same bytes')
    .argument('<chart...>', 'folders of charts')
    .option('--version <version>', 'version instead of that of Chart.yaml')
    .option('--app-version <version>', 'appVersion instead of that of Chart.yaml')
    .option('-d, --destination <dir>', 'folder to write to (default: the current one)')
    .option('-u, --dependency-update', 'run `lading dependency update` before')
    .option('--follow-links', followLinksHelp)
    .option('--sign', 'write a provenance file too')
    .option('--key <name>', 'part of the name of the key to sign with')
    .option('--keyring <file>', 'OpenPGP keyring with the private key')
    .option('--passphrase-file <file>', 'file with the passphrase of the key; - for standard input')
  return addRegistryOptions(command)
    .addHelpText(
      'after',
      '\nThe time of the files is $SOURCE_DATE_EPOCH, or the beginning of 1980.\n\nExample:\n  lading package ./shop --version 1.2.3 -d dist',
    )
    .action(async (charts: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<PackageFlags>()
      const rows = []
      for (const chart of charts) rows.push(await packOne(io, pathFrom(io, chart), options))
      await printData(io, options.output, rows, { rows, columns: ['name', 'version', 'file', 'digest'] })
    })
}

async function packOne(io: Io, folder: string, options: PackageFlags) {
  const { packageChartFolder } = await import('../../../release/source/chart/index.ts')
  const { sourceDate } = await import('../../../oci/index.ts')
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  const { version, appVersion, dependencyUpdate, followLinks } = options
  const how = { version, appVersion, dependencyUpdate, followLinks, modified: sourceDate(io.env) }
  const sign = options.sign === true ? await signingOptions(io, options) : undefined
  const access = await chartAccess(io, options)
  return packageChartFolder(folder, pathFrom(io, options.destination ?? '.'), { ...how, sign, access }, ctx)
}

async function signingOptions(io: Io, { keyring, key, passphraseFile }: PackageFlags) {
  if (keyring === undefined) throw new LadingError('usage.invalid', 'give --keyring with the private key to --sign')
  const passphrase =
    passphraseFile === undefined ? undefined : (await readText(io, pathFrom(io, passphraseFile))).replace(/\r?\n$/, '')
  return { keyring: await keyringOf(io, keyring), ...defined({ key, passphrase }) }
}

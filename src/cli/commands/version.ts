import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Io } from '../io.ts'
import type { GlobalOptions } from '../options/options.ts'
import { printData } from '../print/print-data.ts'

/** `lading version`: what runs here. */
export function versionCommand(io: Io): Command {
  return new Command('version')
    .description('print the version of Lading and of the Node it runs on')
    .addHelpText('after', '\nExample:\n  lading version -o json')
    .action(async (_options, command: Command) => {
      const { output } = command.optsWithGlobals<GlobalOptions>()
      const data = {
        version: packageVersion(),
        node: process.versions.node,
        platform: `${process.platform}-${process.arch}`,
      }
      await printData(io, output, data, { rows: [data], columns: ['version', 'node', 'platform'] })
    })
}

function packageVersion(): string {
  // scripts/bundle.ts knows this place and puts its own there.
  const file = new URL('../../../package.json', import.meta.url)
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

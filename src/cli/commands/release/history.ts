import { Command } from 'commander'
import { addStorageOptions, type StorageOptions, withRecords } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { wholeNumber } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'

/** `lading history`: the revisions of a release. */
export function historyCommand(io: Io): Command {
  const command = new Command('history')
    .description('list the revisions of a release, oldest first')
    .argument('<name>', 'name of the release')
    .option('--max <number>', 'only the newest so many', wholeNumber)
  return addStorageOptions(command)
    .addHelpText('after', '\nExample:\n  lading history shop -o json')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StorageOptions & { readonly max?: number }>()
      await withRecords(io, options, async ({ store, namespace, ctx }) => {
        const { historyOf } = await import('../../../release/index.ts')
        const revisions = await historyOf(store, { name, namespace }, ctx)
        const rows = revisions
          .slice(options.max === undefined ? 0 : -options.max)
          .map(({ version, status, createdAt, updatedAt, source, description }) => ({
            revision: version,
            created: createdAt,
            updated: updatedAt,
            status,
            source,
            description,
          }))
        await printData(io, options.output, rows, {
          rows,
          columns: ['revision', 'created', 'updated', 'status', 'source', 'description'],
        })
      })
    })
}

import { Command, InvalidArgumentError, Option } from 'commander'
import { defined, oneLine } from '../../../core/index.ts'
import type { ListOptions } from '../../../release/index.ts'
import { addStorageOptions, type StorageOptions, withRecords } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { collect } from '../../options/options.ts'
import { printData, printDocument } from '../../print/print-data.ts'
import { releaseColumns } from '../../print/print-release.ts'

interface ListFlags extends StorageOptions {
  readonly allNamespaces?: boolean
  readonly allRevisions?: boolean
  readonly filter?: string
  readonly selector?: string
  readonly short?: boolean
  readonly status?: ListOptions['statuses']
}

const statuses = [
  'deployed',
  'failed',
  'superseded',
  'uninstalled',
  'recovering',
  'unknown',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
  'pending-uninstall',
]

/** `lading list`: the releases of a namespace or of all. */
export function listCommand(io: Io): Command {
  const command = new Command('list')
    .description('list releases with their latest revision')
    .option('-A, --all-namespaces', 'of all namespaces')
    .option('--all-revisions', 'every revision instead of the latest of each release')
    .option('--filter <name>', 'part of the name, or a pattern with * and ?')
    .option(
      '-l, --selector <labels>',
      'only with these labels: key=value, key!=value, key in (a,b), key or !key, with commas between',
    )
    .option('-q, --short', 'only the names')
    .addOption(
      new Option('--status <status>', `only with this status: ${statuses.join(', ')}; may be repeated`).argParser(
        (value: string, previous: string[] | undefined) => collect(oneOf(value), previous),
      ),
    )
  return addStorageOptions(command)
    .addHelpText('after', '\nExample:\n  lading list -A --status failed -o json')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListFlags>()
      await withRecords(io, options, async ({ store, namespace, ctx }) => {
        const { list } = await import('../../../release/index.ts')
        const { allNamespaces, allRevisions, filter, selector, status } = options
        const wanted = defined({
          allRevisions,
          filter,
          selector,
          statuses: status,
          namespace: allNamespaces === true ? undefined : namespace,
        })
        const rows = (await list(store, wanted, ctx)).map((revision) => ({
          name: revision.name,
          namespace: revision.namespace,
          revision: revision.version,
          status: revision.status,
          created: revision.createdAt,
          updated: revision.updatedAt,
          source: revision.source,
          description: revision.description,
          ...defined({ labels: revision.labels }),
        }))
        if (options.short === true) {
          const names = rows.map(({ name }) => name)
          await printDocument(io, options.output, names, () => names.map((name) => `${oneLine(name)}\n`).join(''))
          return
        }
        await printData(io, options.output, rows, { rows, columns: releaseColumns })
      })
    })
}

function oneOf(value: string): string {
  if (statuses.includes(value)) return value
  throw new InvalidArgumentError(`Allowed choices are ${statuses.join(', ')}.`)
}

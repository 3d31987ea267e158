import { Command, InvalidArgumentError, Option } from 'commander'
import type { ListOptions } from '../../release/index.ts'
import { addStorageOptions, type StorageOptions, withSession } from '../connect.ts'
import type { Io } from '../io.ts'
import { collect, given } from '../options.ts'
import { printData } from '../print-data.ts'
import { releaseColumns } from '../print-release.ts'

interface ListFlags extends StorageOptions {
  readonly allNamespaces?: boolean
  readonly allRevisions?: boolean
  readonly filter?: string
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
    .addOption(
      new Option('--status <status>', `only with this status: ${statuses.join(', ')}; may be repeated`).argParser(
        (value: string, previous: string[] | undefined) => collect(oneOf(value), previous),
      ),
    )
  return addStorageOptions(command)
    .addHelpText('after', '\nExample:\n  lading list -A --status failed -o json')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListFlags>()
      await withSession(io, options, async ({ engine, namespace, ctx }) => {
        const { list } = await import('../../release/index.ts')
        const { allNamespaces, allRevisions, filter, status } = options
        const wanted = given({
          allRevisions,
          filter,
          statuses: status,
          namespace: allNamespaces === true ? undefined : namespace,
        })
        const rows = (await list(engine.store, wanted, ctx)).map((revision) => ({
          name: revision.name,
          namespace: revision.namespace,
          revision: revision.version,
          status: revision.status,
          updated: revision.updatedAt,
          source: revision.source,
          description: revision.description,
        }))
        await printData(io, options.output, rows, { rows, columns: releaseColumns })
      })
    })
}

function oneOf(value: string): string {
  if (statuses.includes(value)) return value
  throw new InvalidArgumentError(`Allowed choices are ${statuses.join(', ')}.`)
}

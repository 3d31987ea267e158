import { Command } from 'commander'
import { LadingError } from '../../../core/index.ts'
import type { Recovery } from '../../../release/index.ts'
import { addStorageOptions, type StorageOptions, withSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { printData } from '../../print/print-data.ts'
import { addProgressOption, type RunFlags } from '../../options/release-options.ts'

interface RecoverOptions extends StorageOptions, RunFlags {
  readonly allNamespaces?: boolean
  readonly stale?: boolean
}

/** `lading recover`: heals what a crashed operation left behind. */
export function recoverCommand(io: Io): Command {
  const command = new Command('recover')
    .description('mark what a crashed operation left behind as failed, so that the release can be worked on again')
    .argument('[name]', 'name of the release')
    .option('--stale', 'every release whose operation has been under way for longer than its own timeout')
    .option('-A, --all-namespaces', 'with --stale: of all namespaces')
  return addStorageOptions(addProgressOption(command))
    .addHelpText(
      'after',
      '\nEvery other command on the release heals it as well.\n\nExample:\n  lading recover shop\n  lading recover --stale -A',
    )
    .action(async (name: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<RecoverOptions>()
      if ((name === undefined) !== (options.stale === true)) {
        throw new LadingError('usage.invalid', 'give the name of a release, or --stale')
      }
      await withSession(io, options, async ({ engine, namespace, ctx }) => {
        const { findStaleReleases, recover } = await import('../../../release/index.ts')
        const where = options.allNamespaces === true ? undefined : namespace
        const releases = name === undefined ? await findStaleReleases(engine, where, ctx) : [{ name, namespace }]
        const rows: (Recovery & { name: string; namespace: string })[] = []
        for (const release of releases) {
          const own = { name: release.name, namespace: release.namespace }
          const shown = { title: `recover ${own.namespace}/${own.name}`, progress: options.progress }
          rows.push({ ...own, ...(await follow(recover(engine, own, ctx), shown, io, ctx)) })
        }
        const cells = rows.map(({ removed, orphans, ...row }) => ({
          ...row,
          removed: removed.length,
          orphans: orphans.length,
        }))
        const columns = ['name', 'namespace', 'recovered', 'removed', 'orphans'] as const
        await printData(io, options.output, rows, { rows: cells, columns })
      })
    })
}

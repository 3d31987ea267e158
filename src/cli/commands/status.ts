import { Command } from 'commander'
import { formatRef } from '../../core/index.ts'
import { addStorageOptions, type StorageOptions, withSession } from '../connect.ts'
import type { Io } from '../io.ts'
import { printDocument } from '../print-data.ts'
import { releaseColumns, releaseRow } from '../print-release.ts'
import { formatTable } from '../print-table.ts'

/** `lading status`: how a release stands, on record and on the cluster. */
export function statusCommand(io: Io): Command {
  const command = new Command('status')
    .description('show the latest revision of a release and how its objects are doing now')
    .argument('<name>', 'name of the release')
  return addStorageOptions(command)
    .addHelpText('after', '\nExample:\n  lading status shop -n web')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StorageOptions>()
      await withSession(io, options, async ({ engine, namespace, ctx }) => {
        const { status } = await import('../../release/index.ts')
        const { record, health, hooks, notes } = await status(engine, { name, namespace }, {}, ctx)
        const row = { ...releaseRow(record), health: health.state }
        const labels = Object.keys(record.labels).length === 0 ? {} : { labels: record.labels }
        const data = { ...row, ...labels, objects: health.objects, hooks, ...(notes === undefined ? {} : { notes }) }
        await printDocument(io, options.output, data, () => {
          const objects = health.objects.map(({ ref, state, ready, desired, message }) => ({
            object: formatRef(ref),
            state,
            ready: desired === undefined ? undefined : `${ready ?? 0}/${desired}`,
            message,
          }))
          const texts = [
            formatTable({ rows: [row], columns: [...releaseColumns, 'health'] }),
            ...(objects.length === 0
              ? []
              : [formatTable({ rows: objects, columns: ['object', 'state', 'ready', 'message'] })]),
            ...(notes === undefined ? [] : [`${notes.trimEnd()}\n`]),
          ]
          return texts.join('\n')
        })
      })
    })
}

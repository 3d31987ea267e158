import { Command } from 'commander'
import { defined, formatRef } from '../../../core/index.ts'
import type { CheckSummary } from '../../../release/index.ts'
import { addStorageOptions, type StorageOptions, withSession } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { parseDuration } from '../../options/options.ts'
import { printDocument } from '../../print/print-data.ts'
import { releaseColumns, releaseRow } from '../../print/print-release.ts'
import { formatTable } from '../../print/print-table.ts'
import { addHealthUrlOptions, type HealthUrlFlags, healthUrlsOf } from '../../options/release-options.ts'

interface StatusFlags extends StorageOptions, HealthUrlFlags {
  readonly checks?: boolean
  readonly statusGrace?: number
}

/** `lading status`: how a release stands, on record and on the cluster. */
export function statusCommand(io: Io): Command {
  const command = new Command('status')
    .description('show the latest revision of a release and how its objects are doing now')
    .argument('<name>', 'name of the release')
    .option('--checks', 'run the http, url and command checks that the objects declare; health includes them then')
    .option(
      '--status-grace <duration>',
      'how long a custom resource may be without a status before it counts as ready (default: 10s)',
      parseDuration,
    )
  return addStorageOptions(addHealthUrlOptions(command))
    .addHelpText('after', '\nExample:\n  lading status shop -n web')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StatusFlags>()
      await withSession(io, options, async ({ engine, namespace, ctx }) => {
        const { status } = await import('../../../release/index.ts')
        const { checks: run, statusGrace: statusGraceMs } = options
        const look = defined({ checks: run, statusGraceMs, healthUrls: healthUrlsOf(options) })
        const { record, health, checks, hooks, notes, orphans } = await status(engine, { name, namespace }, look, ctx)
        const row = { ...releaseRow(record), health: health.state }
        const labels = Object.keys(record.labels).length === 0 ? {} : { labels: record.labels }
        const data = { ...row, checks, ...labels, objects: health.objects, hooks, orphans, ...defined({ notes }) }
        await printDocument(io, options.output, data, () => {
          const objects = health.objects.map(({ ref, state, ready, desired, message }) => ({
            object: formatRef(ref),
            state,
            ready: desired === undefined ? undefined : `${ready ?? 0}/${desired}`,
            message,
          }))
          const texts = [
            formatTable({
              rows: [{ ...row, ...checksCell(checks) }],
              columns: [...releaseColumns, 'health', ...(checks.declared === 0 ? [] : (['checks'] as const))],
            }),
            ...(objects.length === 0
              ? []
              : [formatTable({ rows: objects, columns: ['object', 'state', 'ready', 'message'] })]),
            ...orphans.map(
              (ref) => `orphan: ${formatRef(ref)} carries the marks of the release, and no revision has it\n`,
            ),
            ...(notes === undefined ? [] : [`${notes.trimEnd()}\n`]),
          ]
          return texts.join('\n')
        })
      })
    })
}

/** Nobody may read `healthy` as more than was looked at. */
function checksCell({ declared, run, passed }: CheckSummary): { checks: string } {
  return { checks: run ? `${passed} of ${declared} passed` : `${declared} not run (--checks)` }
}

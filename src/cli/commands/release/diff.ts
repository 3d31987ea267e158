import { Command } from 'commander'
import { LadingError } from '../../../core/index.ts'
import type { ObjectDiff } from '../../../release/index.ts'
import {
  addStorageOptions,
  type RecordSession,
  type Session,
  type StorageOptions,
  withRecords,
  withSession,
} from '../../connect.ts'
import { endDifferent } from '../../print/differs.ts'
import { follow } from '../../print/follow.ts'
import { addIgnoreOptions, type IgnoreFlags, ignoreOptions } from '../../options/foreign-options.ts'
import type { Io } from '../../io.ts'
import { revisionNumber } from '../../options/options.ts'
import { printDiff } from '../../print/print-diff.ts'
import { readingOptions } from '../../options/reading-options.ts'
import {
  addContentOptions,
  addReuseOptions,
  addSourceOptions,
  type ContentFlags,
  contentInputs,
} from '../../options/release-options.ts'

interface DiffOptions extends StorageOptions, ContentFlags, IgnoreFlags {
  readonly from?: number
  readonly to?: number
  readonly unchanged?: boolean
}

/** `lading diff`: what an upgrade would change, or what changed between two revisions. */
export function diffCommand(io: Io): Command {
  const command = new Command('diff')
    .description('show what a source would change about a release, or what changed between two of its revisions')
    .argument('<name>', 'name of the release')
    .argument('[source]', 'what `lading upgrade` would be given; without it, revisions are compared')
    .option('--from <revision>', 'the older revision (default: the one before)', revisionNumber)
    .option('--to <revision>', 'the newer revision (default: the latest)', revisionNumber)
    .option('--unchanged', 'also name the objects that do not differ')
  return addStorageOptions(addReuseOptions(addSourceOptions(addContentOptions(addIgnoreOptions(command)))))
    .addHelpText(
      'after',
      '\nExit codes: 0 without a difference, 2 with differences, another one for a failure. Values of Secrets are masked.\n\n' +
        'Example:\n  lading diff shop ./deploy\n  lading diff shop --from 2 --to 4',
    )
    .action(async (name: string, source: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<DiffOptions>()
      if (source !== undefined && (options.from !== undefined || options.to !== undefined)) {
        throw new LadingError('usage.invalid', 'give either a source or revisions to compare')
      }
      const print = async (data: DiffData): Promise<boolean> => {
        await printDiff(io, options, data, data.objects)
        return data.different
      }
      const different =
        source === undefined
          ? await withRecords(io, options, async (session) => print(await betweenRevisions(session, name, options)))
          : await withSession(io, options, async (session) =>
              print(await fromSource(io, session, name, source, options)),
            )
      if (different) endDifferent(command)
    })
}

interface DiffData {
  readonly different: boolean
  readonly objects: readonly ObjectDiff[]
}

async function fromSource(
  io: Io,
  { engine, namespace, ctx }: Session,
  name: string,
  source: string,
  options: DiffOptions,
): Promise<DiffData> {
  const { diffRelease, renderContent } = await import('../../../release/index.ts')
  const inputs = contentInputs(io, source, options)
  const reading = await readingOptions(io, source, options, engine.cluster)
  const content = await renderContent(engine.store, { name, namespace }, inputs, reading, ctx)
  const events = diffRelease(engine, content, ignoreOptions(options), ctx)
  return follow(events, { title: `diff ${namespace}/${name}`, progress: 'plain' }, io, ctx)
}

async function betweenRevisions(
  { store, namespace, ctx }: RecordSession,
  name: string,
  options: DiffOptions,
): Promise<DiffData> {
  const { diffRevisions, recordOf } = await import('../../../release/index.ts')
  const release = { name, namespace }
  const newer = await recordOf(store, release, options.to, ctx)
  const older = await recordOf(store, release, options.from ?? Math.max(1, newer.version - 1), ctx)
  const objects = diffRevisions(older, newer)
  return { different: objects.some(({ change }) => change !== 'unchanged'), objects }
}

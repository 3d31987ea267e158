import { Command } from 'commander'
import { formatRef, type KubeObject, refOf } from '../../../core/index.ts'
import type { ReleaseRecord } from '../../../release/index.ts'
import { addStorageOptions, type StorageOptions, withRecords } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { revisionNumber } from '../../options/options.ts'
import { printDocument } from '../../print/print-data.ts'
import { formatTable } from '../../print/print-table.ts'

interface GetOptions extends StorageOptions {
  readonly revision?: number
  readonly all?: boolean
  readonly showSecrets?: boolean
}

/** `lading get`: parts of a stored revision. */
export function getCommand(io: Io): Command {
  return new Command('get')
    .description('print a part of a revision as it was recorded')
    .addHelpText('after', '\nExample:\n  lading get values shop --revision 2 -o json')
    .addCommand(getValues(io))
    .addCommand(getManifest(io))
    .addCommand(getHooks(io))
    .addCommand(getNotes(io))
    .addCommand(getProvenance(io))
}

function getValues(io: Io): Command {
  return part(io, 'values', 'the values that the user gave', async (record, options) => {
    const { valuesOf } = await import('../../../release/index.ts')
    const values = valuesOf(record, options.all)
    await printDocument(io, options.output, values, () => yaml(values))
  }).option('-a, --all', 'with the defaults of the source')
}

function getManifest(io: Io): Command {
  const command = part(io, 'manifest', 'the objects, without hooks', async (record, options) => {
    const { manifestOf } = await import('../../../release/index.ts')
    const manifest = manifestOf(record, options)
    await printDocument(io, options.output, await objectsOf(manifest), () => manifest)
  })
  return addSecretsOption(command)
}

function getHooks(io: Io): Command {
  const command = part(io, 'hooks', 'the hooks', async (record, options) => {
    const { hookManifestOf } = await import('../../../release/index.ts')
    const objects = await objectsOf(hookManifestOf(record, options))
    const data = record.hooks.map((hook, index) => ({ ...hook, object: objects[index] }))
    const rows = record.hooks.map(({ object, phases, weight, lastRun }) => ({
      hook: formatRef(refOf(object)),
      phases: phases.join(','),
      weight,
      lastRun: lastRun?.phase,
    }))
    const columns = ['hook', 'phases', 'weight', 'lastRun'] as const
    await printDocument(io, options.output, data, () => formatTable({ rows, columns }))
  })
  return addSecretsOption(command)
}

function getNotes(io: Io): Command {
  return part(io, 'notes', 'the notes of the source', async ({ notes = '' }, options) => {
    await printDocument(io, options.output, { notes }, () => (notes === '' ? '' : `${notes.trimEnd()}\n`))
  })
}

function getProvenance(io: Io): Command {
  return part(io, 'provenance', 'who gave each value', async (record, options) => {
    const { provenanceOf } = await import('../../../release/index.ts')
    const rows = provenanceOf(record)
    await printDocument(io, options.output, rows, () => formatTable({ rows, columns: ['path', 'source', 'origin'] }))
  })
}

function part(
  io: Io,
  name: string,
  what: string,
  print: (record: ReleaseRecord, options: GetOptions) => Promise<void>,
): Command {
  const command = new Command(name)
    .description(`print ${what}`)
    .argument('<name>', 'name of the release')
    .option('--revision <number>', 'the revision (default: the latest)', revisionNumber)
  return addStorageOptions(command)
    .addHelpText('after', `\nExample:\n  lading get ${name} shop --revision 2`)
    .action(async (release: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GetOptions>()
      await withRecords(io, options, async ({ store, namespace, ctx }) => {
        const { recordOf } = await import('../../../release/index.ts')
        await print(await recordOf(store, { name: release, namespace }, options.revision, ctx), options)
      })
    })
}

function addSecretsOption(command: Command): Command {
  return command.option('--show-secrets', 'do not mask the values of Secrets')
}

async function yaml(value: unknown): Promise<string> {
  const { writeYaml } = await import('../../../core/yaml/index.ts')
  return writeYaml(value)
}

async function objectsOf(manifest: string): Promise<KubeObject[]> {
  const { readObjects } = await import('../../../core/yaml/index.ts')
  return readObjects(manifest)
}

import { Command, Option } from 'commander'
import { type Context, context, defined, type KubeObject, LadingError, stringifyJson } from '../../../core/index.ts'
import type { PackedArtifact } from '../../../oci/index.ts'
import type { PackedChart } from '../../../release/index.ts'
import { folderOf, pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { collect } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'
import { readText } from '../../files/read-text.ts'
import { addRegistryOptions, type RegistryFlags, registryOptions } from '../../options/registry-options.ts'
import { addContentOptions, type ContentFlags, contentInputs, followLinksHelp } from '../../options/release-options.ts'
import { addProgramOptions, programOptions } from '../../options/program-options.ts'
import { addRemoteOptions, openRemote } from '../../options/remote-options.ts'
import { readSigningKey } from '../artifact/sign.ts'

interface PushFlags extends RegistryFlags, ContentFlags {
  readonly format?: 'lading' | 'kustomizer' | 'flux' | 'raw' | 'tar' | 'helm'
  readonly render?: boolean
  readonly releaseName?: string
  readonly source?: string
  readonly revision?: string
  readonly recipient?: readonly string[]
  readonly sign?: string
}

/** `lading push`: a source as an artifact in a registry. */
export function pushCommand(io: Io): Command {
  const command = new Command('push')
    .description('render a source and push it as an artifact, or push a chart; the same objects give the same digest')
    .argument(
      '<reference>',
      'oci://HOST/REPOSITORY:TAG, or oci-layout:FOLDER:TAG; without a tag, a chart goes to oci://HOST/REPOSITORY/NAME:VERSION',
    )
    .argument('<source>', 'a manifest, a kustomization, a chart, a program, or another source that Lading knows')
    .addOption(
      new Option(
        '--format <name>',
        'how it is packed (default: lading, which Flux and kustomizer read too; helm for charts)',
      ).choices(['lading', 'kustomizer', 'flux', 'raw', 'tar', 'helm']),
    )
    .option('--render', 'push what a chart renders to, not the chart')
    .option(
      '--release-name <name>',
      'the release to render for: its name is fixed in the artifact (default: release-name)',
    )
    .option('--follow-links', followLinksHelp)
    .option('--source <url>', 'where the source lies, for the annotations')
    .option('--revision <text>', 'which state of it, such as main/COMMIT, for the annotations')
    .option('--recipient <age1…>', 'encrypt for this recipient of age; may be repeated', collect)
    .option('--sign <file>', 'private key to sign with; its password is $COSIGN_PASSWORD')
  return addRegistryOptions(addProgramOptions(addRemoteOptions(addContentOptions(command))))
    .addHelpText(
      'after',
      '\nThe time of the artifact is $SOURCE_DATE_EPOCH, or the beginning of 1970.\n\nExample:\n' +
        '  lading push oci://registry.example/shop:v1 overlays/production --sign cosign.key -o json\n' +
        '  lading push oci://registry.example/charts ./shop',
    )
    .action(async (text: string, source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PushFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { pushPacked } = await import('../../../release/source/chart/index.ts')
      const { packed, reference } = await packSource(io, text, source, options, ctx)
      const registry = await registryOptions(io, options)
      const signingKey = options.sign === undefined ? undefined : await readSigningKey(io, options.sign)
      const row = await pushPacked(reference, packed, { registry, cwd: folderOf(io), signingKey }, ctx)
      await printData(io, options.output, row, { rows: [row], columns: ['artifact', 'tag', 'size', 'signed'] })
    })
}

async function packSource(
  io: Io,
  reference: string,
  source: string,
  options: PushFlags,
  ctx: Context,
): Promise<PackedChart> {
  const { format, render, followLinks } = options
  if (format === 'helm' && render === true)
    throw new LadingError('usage.invalid', 'give either --render or --format helm')
  const { isChart, packChartSource } = await import('../../../release/source/chart/index.ts')
  const { sourceDate } = await import('../../../oci/index.ts')
  const path = pathFrom(io, source)
  const found = await isChart(path)
  if (format === 'helm' && !found)
    throw new LadingError('source.unsupported', `${source} is not a chart: a folder with Chart.yaml or a .tgz is`)
  if (found && render !== true && (format === undefined || format === 'helm')) {
    refuseObjectFlags(options)
    return packChartSource(reference, path, { created: sourceDate(io.env), followLinks }, ctx)
  }
  return { reference, packed: await pack(io, source, options, ctx) }
}

// Nothing is rendered, so values would change nothing.
function refuseObjectFlags(flags: PushFlags): void {
  const given = Object.entries({
    '--values': flags.values,
    '--set': flags.set,
    '--set-string': flags.setString,
    '--set-file': flags.setFile,
    '--set-json': flags.setJson,
    '--set-literal': flags.setLiteral,
    '--recursive': flags.recursive,
    '--release-name': flags.releaseName,
    '--source': flags.source,
    '--revision': flags.revision,
    '--recipient': flags.recipient,
  }).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  const names = given.map(([name]) => name).join(', ')
  const problem = `a chart is pushed as it is, ${names} would do nothing: give --render to push its objects`
  throw new LadingError('usage.invalid', problem)
}

async function pack(io: Io, source: string, options: PushFlags, ctx: Context): Promise<PackedArtifact> {
  const { packObjects, parseRecipients, sourceDate } = await import('../../../oci/index.ts')
  const created = sourceDate(io.env)
  const { createMemoryStore, renderContent } = await import('../../../release/index.ts')
  const release = { name: options.releaseName ?? placeholder, namespace: options.namespace ?? 'default' }
  const inputs = contentInputs(io, source, options)
  const programs = { reproducibleAt: created ?? new Date(0), ...defined({ program: programOptions(io, options) }) }
  const reading = { stdin: io.stdin, cwd: io.cwd, openRemote: openRemote(io, options), ...programs }
  const { objects, source: info } = await renderContent(createMemoryStore(), release, inputs, reading, ctx)
  if (options.releaseName === undefined) warnOfPlaceholder(objects, ctx)
  const recipients = await recipientsOf(io, options.recipient ?? [], parseRecipients)
  const format = options.format === 'helm' ? undefined : options.format
  const origin = { source: options.source, revision: options.revision, created, remotes: info?.remotes }
  return packObjects(objects, { ...origin, format, recipients })
}

/** The name that `helm template` renders with too. */
const placeholder = 'release-name'

/** Every release of the artifact would get objects of the same names. */
function warnOfPlaceholder(objects: readonly KubeObject[], { log }: Context): void {
  if (!stringifyJson(objects).includes(placeholder)) return
  log.warn(
    `the objects hold the name ${placeholder}, because they were rendered for no release: give --release-name, which is fixed in the artifact`,
  )
}

/** Recipients as they are given, or as the lines of a file. */
export async function recipientsOf(io: Io, given: readonly string[], parse: (text: string, file?: string) => string[]) {
  const found: string[] = []
  for (const text of given) {
    if (text.startsWith('AGE-SECRET-KEY-')) {
      throw new LadingError('usage.invalid', 'a recipient is the public age1… key, never the identity')
    }
    found.push(...(text.startsWith('age1') ? parse(text) : parse(await readText(io, pathFrom(io, text)), text)))
  }
  return found
}

import { Command, Option } from 'commander'
import { type Context, context, defined, LadingError } from '../../../core/index.ts'
import type { PackedArtifact, PackOrigin } from '../../../oci/index.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { refuseDigest, withTarget } from '../../open-target.ts'
import { collect } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'
import { isChart, packChartSource, type PackedChart } from '../../push-chart.ts'
import { readText } from '../../files/read-text.ts'
import { addRegistryOptions, type RegistryFlags } from '../../options/registry-options.ts'
import { addContentOptions, type ContentFlags, contentInputs, followLinksHelp } from '../../options/release-options.ts'
import { addRemoteOptions, openRemote } from '../../options/remote-options.ts'
import { signTarget } from '../artifact/sign.ts'

interface PushFlags extends RegistryFlags, ContentFlags {
  readonly format?: 'lading' | 'kustomizer' | 'flux' | 'raw' | 'tar' | 'helm'
  readonly render?: boolean
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
    .argument('<source>', 'a manifest, a kustomization, a chart, or another source that Lading knows')
    .addOption(
      new Option(
        '--format <name>',
        'how it is packed; lading, which Flux and kustomizer read too, unless given; helm for charts',
      ).choices(['lading', 'kustomizer', 'flux', 'raw', 'tar', 'helm']),
    )
    .option('--render', 'push what a chart renders to, not the chart')
    .option('--follow-links', followLinksHelp)
    .option('--source <url>', 'where the source lies, for the annotations')
    .option('--revision <text>', 'which state of it, such as main/COMMIT, for the annotations')
    .option('--recipient <age1…>', 'encrypt for this recipient of age; may be repeated', collect)
    .option('--sign <file>', 'private key to sign with; its password is $COSIGN_PASSWORD')
  return addRegistryOptions(addRemoteOptions(addContentOptions(command)))
    .addHelpText(
      'after',
      '\nThe time of the artifact is $SOURCE_DATE_EPOCH, or the beginning of 1970.\n\nExample:\n' +
        '  lading push oci://registry.example/shop:v1 overlays/production --sign cosign.key -o json\n' +
        '  lading push oci://registry.example/charts ./shop',
    )
    .action(async (text: string, source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PushFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { pushArtifact } = await import('../../../oci/index.ts')
      const { packed, reference } = await packSource(io, text, source, options, ctx)
      await withTarget(io, reference, options, async (place) => {
        refuseDigest(reference, place)
        const { target, tag, pinned } = place
        const { digest } = await pushArtifact(target, packed, tag, ctx)
        if (options.sign !== undefined) await signTarget(io, target, digest, options.sign, ctx)
        const size = packed.blobs.reduce(
          (sum, { descriptor }) => sum + descriptor.size,
          packed.manifest.descriptor.size,
        )
        const row = { artifact: pinned(digest), digest, tag, size, signed: options.sign !== undefined }
        await printData(io, options.output, row, { rows: [row], columns: ['artifact', 'tag', 'size', 'signed'] })
      })
    })
}

async function packSource(
  io: Io,
  reference: string,
  source: string,
  options: PushFlags,
  ctx: Context,
): Promise<PackedChart> {
  const { format, render } = options
  if (format === 'helm' && render === true)
    throw new LadingError('usage.invalid', 'give either --render or --format helm')
  const found = await isChart(io, source)
  if (format === 'helm' && !found)
    throw new LadingError('source.unsupported', `${source} is no chart: a folder with Chart.yaml or a .tgz is`)
  if (found && render !== true && (format === undefined || format === 'helm')) {
    return packChartSource(io, reference, source, options, ctx)
  }
  return { reference, packed: await pack(io, source, options, ctx) }
}

async function pack(io: Io, source: string, options: PushFlags, ctx: Context): Promise<PackedArtifact> {
  const { packObjects, parseRecipients, sourceDate } = await import('../../../oci/index.ts')
  const created = sourceDate(io.env)
  const origin: PackOrigin = {
    ...defined({ source: options.source, revision: options.revision, created }),
  }
  const { createMemoryStore, renderContent } = await import('../../../release/index.ts')
  const release = { name: 'release-name', namespace: options.namespace ?? 'default' }
  const inputs = contentInputs(io, source, options)
  const reading = { stdin: io.stdin, cwd: io.cwd, openRemote: openRemote(io, options) }
  const { objects, source: info } = await renderContent(createMemoryStore(), release, inputs, reading, ctx)
  const recipients = await recipientsOf(io, options.recipient ?? [], parseRecipients)
  const format = options.format === undefined || options.format === 'helm' ? {} : { format: options.format }
  const remotes = defined({ remotes: info?.remotes })
  return packObjects(objects, { ...origin, ...remotes, ...format, ...(recipients.length === 0 ? {} : { recipients }) })
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

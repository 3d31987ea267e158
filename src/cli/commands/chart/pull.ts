import { join } from 'node:path'
import { Command } from 'commander'
import { context, defined, LadingError, objectId, refOf } from '../../../core/index.ts'
import type { PulledArtifact } from '../../../oci/index.ts'
import type { PulledChart } from '../../../release/index.ts'
import { folderOf, pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { withTarget } from '../../open-target.ts'
import { addChartOptions, type ChartFlags, chartOptions, keyringOf } from '../../options/chart-options.ts'
import { printData, printDocument } from '../../print/print-data.ts'
import { addArtifactOptions, artifactAccess, type ArtifactFlags } from '../../options/registry-options.ts'

interface PullFlags extends ArtifactFlags, ChartFlags {
  readonly outputDir?: string
  readonly untar?: boolean
  readonly prov?: boolean
}

/** `lading pull`: an artifact's content, verified. */
export function pullCommand(io: Io): Command {
  const command = new Command('pull')
    .description('pull an artifact or a chart, verify it, and print its YAML or write its files')
    .argument(
      '<reference>',
      'oci://HOST/REPOSITORY[:TAG][@DIGEST], oci-layout:FOLDER[:TAG][@DIGEST], or a chart: REPO/CHART, https://….tgz',
    )
    .option('--output-dir <dir>', 'write the files of the artifact below this folder, which must not hold any of them')
    .option('--untar', 'write a chart as a folder of its name, not as an archive')
    .option('--prov', 'write the provenance of a chart too')
    .option('--keyring <file>', 'OpenPGP keyring; a chart that none of its keys signed is refused')
  return addChartOptions(addArtifactOptions(command))
    .addHelpText(
      'after',
      '\nExample:\n  lading pull oci://registry.example/shop:v1\n  lading pull oci://registry.example/shop@sha256:… --verify cosign.pub --output-dir shop\n' +
        '  lading pull shop/cart --version ^1.2 --untar',
    )
    .action(async (text: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PullFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { pullChart } = await import('../../../release/source/chart/index.ts')
      const { registry, identities, verifyKeys } = await artifactAccess(io, options)
      const keyring = options.keyring === undefined ? undefined : await keyringOf(io, options.keyring)
      const from = { registry, identities, verifyKeys, cwd: folderOf(io), withProvenance: options.prov === true }
      const which = { ...(await chartOptions(io, options)), ...from, ...defined({ keyring }) }
      const pulled = await pullChart(text, which, ctx)
      if (pulled.type === 'chart') await saveChart(io, text, options, pulled.chart)
      else await showArtifact(io, text, options, pulled.artifact)
    })
}

/** Writes a chart as its archive, or as a folder; nothing that is there is touched. */
async function saveChart(io: Io, text: string, flags: PullFlags, chart: PulledChart): Promise<void> {
  const { chartFiles } = await import('../../../release/source/chart/index.ts')
  const { writeNewFiles } = await import('../../files/write-new-files.ts')
  const folder = pathFrom(io, flags.outputDir ?? '.')
  const { files, summary } = chartFiles(text, chart, { untar: flags.untar, provenance: flags.prov })
  await writeNewFiles(folder, files)
  const row = { ...summary, file: join(folder, summary.file) }
  await printData(io, flags.output, row, { rows: [row], columns: ['name', 'version', 'file'] })
}

/** Prints an artifact that is not a chart, or writes its files. */
async function showArtifact(io: Io, text: string, options: PullFlags, artifact: PulledArtifact): Promise<void> {
  if (options.untar === true || options.prov === true || options.keyring !== undefined)
    throw new LadingError('usage.invalid', `${text} is not a chart: --untar, --prov and --keyring are for charts`)
  const { digest, format, metadata, yaml, files, objects: found } = artifact
  const objects = found.map((object) => objectId(refOf(object)))
  if (options.outputDir !== undefined) {
    const folder = pathFrom(io, options.outputDir)
    const { writeNewFiles } = await import('../../files/write-new-files.ts')
    await writeNewFiles(folder, files)
    const names = [...files.keys()]
    await printDocument(
      io,
      options.output,
      { digest, format, metadata, files: names, objects },
      () => `${names.map((name) => join(folder, name)).join('\n')}\n`,
    )
    return
  }
  if (options.output !== 'table') {
    await printDocument(io, options.output, { digest, format, metadata, objects, yaml }, () => '')
    return
  }
  if (artifact.content !== 'objects') {
    const problem = `${text} is a tree that has to be built: give --output-dir to write its files`
    throw new LadingError('source.unsupported', problem)
  }
  io.stdout.write(yaml)
}

/** Pulls an artifact whose signature was verified with the keys that flags give. */
export async function pullVerifiedFrom(io: Io, text: string, options: ArtifactFlags): Promise<PulledArtifact> {
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  const { pullVerified } = await import('../../../oci/index.ts')
  const { identities, verifyKeys } = await artifactAccess(io, options)
  return withTarget(io, text, options, ({ target, name }) =>
    pullVerified(target, name, { identities, verifyKeys }, ctx),
  )
}

import { join } from 'node:path'
import { Command } from 'commander'
import { type Context, context, LadingError, objectId, refOf } from '../../../core/index.ts'
import type { Descriptor, PulledArtifact, Target } from '../../../oci/index.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { withTarget } from '../../open-target.ts'
import { addChartOptions, type ChartFlags } from '../../chart-access.ts'
import { printDocument } from '../../print/print-data.ts'
import { checkChart, fetchAsked, refuseChartFlags, saveChart, withVersion } from '../../pull-chart.ts'
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
      const isRegistry = /^oci(?:-layout)?:/.test(text)
      if (!isRegistry || options.repo !== undefined)
        return saveChart(io, text, options, await fetchAsked(io, text, options))
      const artifact = await pullVerifiedFrom(io, await withVersion(io, text, options), options)
      if (artifact.chart !== undefined) {
        return saveChart(io, text, options, await checkChart(io, text, artifact.chart, options))
      }
      refuseChartFlags(options, text)
      const { digest, format, metadata, yaml, files, objects } = artifact
      const ids = objects.map((object) => objectId(refOf(object)))
      if (options.outputDir !== undefined) {
        const folder = pathFrom(io, options.outputDir)
        const { writeNewFiles } = await import('../../files/write-new-files.ts')
        await writeNewFiles(folder, files)
        const data = { digest, format, metadata, files: [...files.keys()], objects: ids }
        await printDocument(
          io,
          options.output,
          data,
          () => `${[...files.keys()].map((name) => join(folder, name)).join('\n')}\n`,
        )
        return
      }
      if (options.output !== 'table') {
        await printDocument(io, options.output, { digest, format, metadata, objects: ids, yaml }, () => '')
        return
      }
      if (artifact.content !== 'objects') {
        throw new LadingError(
          'source.unsupported',
          `${text} is a tree that has to be built: give --output-dir to write its files`,
        )
      }
      io.stdout.write(yaml)
    })
}

/** Pulls an artifact and holds it to the keys that were given. */
export async function pullVerifiedFrom(io: Io, text: string, options: ArtifactFlags): Promise<PulledArtifact> {
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  const { pullArtifact } = await import('../../../oci/index.ts')
  const { identities, verifyKeys } = await artifactAccess(io, options)
  return withTarget(io, text, options, async ({ target, name }) => {
    const found = await target.resolve(name, ctx)
    await requireSigned(target, found, verifyKeys, ctx)
    return pullArtifact(target, found.digest, { identities, expectDigest: found.digest }, ctx)
  })
}

async function requireSigned(target: Target, found: Descriptor, keys: readonly string[], ctx: Context): Promise<void> {
  if (keys.length === 0) return
  const { verifySignature } = await import('../../../oci/index.ts')
  await verifySignature(target, found, keys, {}, ctx)
}

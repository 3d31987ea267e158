import { Command } from 'commander'
import { type Context, context, defined, type KubeObject } from '../../../core/index.ts'
import { addChartOptions, type ChartFlags, chartOptions } from '../../options/chart-options.ts'
import { connectOptions, folderOf, pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { collect } from '../../options/options.ts'
import { printDocument } from '../../print/print-data.ts'
import { addRegistryOptions } from '../../options/registry-options.ts'
import { followLinksHelp } from '../../options/release-options.ts'

interface TypesOptions extends ChartFlags {
  readonly crd?: readonly string[]
  readonly descriptions?: boolean
  readonly out?: string
  readonly followLinks?: boolean
}

/** `lading types`: TypeScript for the kinds of CustomResourceDefinitions. */
export function typesCommand(io: Io): Command {
  const command = new Command('types')
    .description('write TypeScript for custom kinds, from a manifest, a chart’s crds/ or the cluster')
    .argument('[source]', 'a file, a folder, - for stdin, or a chart; the cluster of the kubeconfig when absent')
    .option('--crd <name>', 'only this CRD: its name, its kind or its group; may be repeated', collect)
    .option('--no-descriptions', 'leave the descriptions of fields out')
    .option('--out <file>', 'write to this file instead of stdout')
    .option('--follow-links', followLinksHelp)
  return addRegistryOptions(addChartOptions(command))
    .addHelpText(
      'after',
      '\nThe types are added to KubeKinds of lading/kinds: import the file once, and KubeObject<"example.com/v1", "Shop"> is typed.\n\n' +
        'Example:\n  lading types ./crds --out src/crds.ts\n  lading types --crd cert-manager.io --out src/cert-manager.ts\n' +
        '  lading template cm ./cert-manager --set crds.enabled=true | lading types - --out src/cert-manager.ts',
    )
    .action(async (source: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<TypesOptions>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { crdTypes } = await import('../../../schema/index.ts')
      const objects =
        source === undefined ? await crdsOfCluster(io, options, ctx) : await crdsOfSource(io, source, options, ctx)
      const { crd: only, descriptions } = options
      const types = crdTypes(objects, defined({ only, descriptions }))
      if (options.out === undefined) {
        await printDocument(io, options.output, types, () => types.text)
        return
      }
      const { writeAtomically } = await import('../../../render/helm/index.ts')
      await writeAtomically(pathFrom(io, options.out), types.text)
      const written = { file: options.out, kinds: types.kinds }
      await printDocument(io, options.output, written, () => types.kinds.map((kind) => `${kind}\n`).join(''))
    })
}

async function crdsOfCluster(io: Io, options: TypesOptions, ctx: Context): Promise<KubeObject[]> {
  const [{ connect }, { clusterCrds }] = await Promise.all([
    import('../../../kube/index.ts'),
    import('../../../release/source/chart/index.ts'),
  ])
  const cluster = await connect(connectOptions(io, options), ctx)
  try {
    return await clusterCrds(cluster, ctx)
  } finally {
    await cluster.close()
  }
}

async function crdsOfSource(io: Io, source: string, options: TypesOptions, ctx: Context): Promise<KubeObject[]> {
  const { readCrds } = await import('../../../release/source/chart/index.ts')
  const where = { cwd: folderOf(io), stdin: io.stdin, followLinks: options.followLinks }
  return readCrds(source, { ...(await chartOptions(io, options)), ...where }, ctx)
}

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
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
        source === undefined ? await clusterCrds(io, options, ctx) : await sourceCrds(io, source, options, ctx)
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

async function clusterCrds(io: Io, options: TypesOptions, ctx: Context): Promise<KubeObject[]> {
  const { connect, listObjects } = await import('../../../kube/index.ts')
  const cluster = await connect(connectOptions(io, options), ctx)
  try {
    const gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    return [...(await listObjects(cluster, { gvk }, ctx)).items]
  } finally {
    await cluster.close()
  }
}

/** A local folder or file is a manifest unless it is a chart; what is not there may be the name of a chart elsewhere. */
async function sourceCrds(io: Io, source: string, options: TypesOptions, ctx: Context): Promise<KubeObject[]> {
  const path = source === '-' ? source : pathFrom(io, source)
  if (await isManifest(source, path, options)) {
    const { readManifest } = await import('../../../render/manifest/index.ts')
    return await readManifest(path, { recursive: true, stdin: io.stdin }, ctx)
  }
  const [{ showChart }, { readManifest }, { openChart }] = await Promise.all([
    import('../../../render/helm/index.ts'),
    import('../../../render/manifest/index.ts'),
    import('../../../release/source/chart/index.ts'),
  ])
  const { followLinks } = options
  const which = { ...(await chartOptions(io, options)), cwd: folderOf(io), followLinks }
  const { crds } = showChart(await openChart(source, which, ctx))
  return await readManifest(
    crds.map((text, index) => ({ text, name: `CRD ${index + 1} of ${source}` })),
    {},
    ctx,
  )
}

async function isManifest(source: string, path: string, options: TypesOptions): Promise<boolean> {
  if (source === '-') return true
  if (source.includes('://') || options.repo !== undefined) return false
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) return (await stat(join(path, 'Chart.yaml')).catch(() => undefined)) === undefined
  if (found?.isFile() !== true) return false
  // A packaged chart is a gzip stream.
  const bytes = await readFile(path)
  return !(bytes[0] === 0x1f && bytes[1] === 0x8b)
}

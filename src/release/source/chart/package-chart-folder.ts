import { join } from 'node:path'
import type { Context } from '../../../core/index.ts'
import { digestOf } from '../../../oci/index.ts'
import {
  type ChartAccess,
  packageChart,
  readChartFolder,
  signChart,
  updateDependencies,
  writeAtomically,
} from '../../../render/helm/index.ts'
import { chartAccess } from './chart-access.ts'

/** How a chart's folder is packed. */
export interface PackageFolderOptions {
  /** The version instead of that of Chart.yaml. */
  readonly version?: string | undefined
  /** The appVersion instead of that of Chart.yaml. */
  readonly appVersion?: string | undefined
  /** The time of the files (default: the beginning of 1980). */
  readonly modified?: Date | undefined
  /** Updates the dependencies first, as `updateDependencies` does (default: false). */
  readonly dependencyUpdate?: boolean | undefined
  /** Follows symlinks that lead out of the chart's repository (default: false). */
  readonly followLinks?: boolean | undefined
  /** Signs the archive and writes its provenance file. */
  readonly sign?: Parameters<typeof signChart>[3] | undefined
  /** Where dependencies are looked for (default: `chartAccess()`). */
  readonly access?: ChartAccess | undefined
}

/** A chart's archive that was written. */
export interface PackagedFile {
  readonly name: string
  readonly version: string
  readonly file: string
  readonly digest: string
  readonly signed: boolean
}

/** Packs the chart of a folder into an archive of another folder; the same chart gives the same bytes. */
export async function packageChartFolder(
  folder: string,
  destination: string,
  options: PackageFolderOptions,
  ctx: Context,
): Promise<PackagedFile> {
  const { followLinks = false, version, appVersion, modified, sign, access } = options
  if (options.dependencyUpdate === true) {
    await updateDependencies(folder, { followLinks }, access ?? chartAccess(), ctx)
  }
  const chart = await readChartFolder(folder, { followLinks, log: ctx.log })
  const packed = packageChart(chart, {
    ...(version !== undefined && { version }),
    ...(appVersion !== undefined && { appVersion }),
    ...(modified !== undefined && { modified }),
  })
  const file = join(destination, packed.fileName)
  if (sign !== undefined) {
    const provenance = await signChart(packed.archive, packed.fileName, packed.chartYaml, sign)
    await writeAtomically(`${file}.prov`, provenance)
  }
  await writeAtomically(file, packed.archive)
  const { metadata } = packed.chart
  const digest = digestOf(packed.archive)
  return { name: metadata.name, version: metadata.version, file, digest, signed: sign !== undefined }
}

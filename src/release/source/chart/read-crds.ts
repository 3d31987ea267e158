import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context, KubeObject } from '../../../core/index.ts'
import { type Cluster, listObjects } from '../../../kube/index.ts'
import { showChart } from '../../../render/helm/index.ts'
import { readManifest } from '../../../render/manifest/index.ts'
import { openChart, type OpenChartOptions } from './open-chart.ts'

/** How a source of CRDs is read. */
export interface ReadCrdsOptions extends OpenChartOptions {
  /** Standard input, for the source `-`. */
  readonly stdin?: NodeJS.ReadableStream | undefined
}

/** Reads the objects of a manifest, or those in a chart's crds/; a text that is neither a file nor a folder names a chart elsewhere. */
export async function readCrds(source: string, options: ReadCrdsOptions, ctx: Context): Promise<KubeObject[]> {
  const { stdin, ...chart } = options
  const path = source === '-' || options.cwd === undefined ? source : resolve(options.cwd, source)
  if (await isManifest(source, path, options)) return readManifest(path, { recursive: true, stdin }, ctx)
  const { crds } = showChart(await openChart(source, chart, ctx))
  const texts = crds.map((text, index) => ({ text, name: `CRD ${index + 1} of ${source}` }))
  return readManifest(texts, {}, ctx)
}

/** Lists the CustomResourceDefinitions of a cluster. */
export async function clusterCrds(cluster: Cluster, ctx: Context): Promise<KubeObject[]> {
  const gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
  return [...(await listObjects(cluster, { gvk }, ctx)).items]
}

async function isManifest(source: string, path: string, { repository }: ReadCrdsOptions): Promise<boolean> {
  if (source === '-') return true
  if (source.includes('://') || repository !== undefined) return false
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) return (await stat(join(path, 'Chart.yaml')).catch(() => undefined)) === undefined
  if (found?.isFile() !== true) return false
  // A packaged chart is a gzip stream.
  const bytes = await readFile(path)
  return !(bytes[0] === 0x1f && bytes[1] === 0x8b)
}

import { stringifyJson } from '../../core/index.ts'
import { unpackTar } from '../archive/unpack-tar.ts'
import { type ChartMetadata, readChartMetadata } from './chart-metadata.ts'
import { artifactMediaTypes } from './media-types.ts'
import { formatTime } from './metadata.ts'
import { assemble, blob, type PackedArtifact } from './packed-artifact.ts'

/** What goes with a chart. */
export interface PackChartOptions {
  /** The provenance file that `helm package --sign` wrote. */
  readonly provenance?: Uint8Array
  /** When it was made (default: not recorded). */
  readonly created?: Date
}

/** Packs a chart archive (`.tgz`) as `helm push` does: the archive itself is a layer, untouched. */
export async function packChart(archive: Uint8Array, options: PackChartOptions = {}): Promise<PackedArtifact> {
  const metadata = readChartMetadata(await unpackTar(archive))
  const { provenance, created } = options
  return assemble({
    config: blob(artifactMediaTypes.helmConfig, stringifyJson(metadata)),
    layers: [
      blob(artifactMediaTypes.helmChart, archive),
      ...(provenance === undefined ? [] : [blob(artifactMediaTypes.helmProvenance, provenance)]),
    ],
    annotations: annotationsOfChart(metadata, created),
  })
}

// The same keys as Helm's; what Chart.yaml lacks is left out.
function annotationsOfChart(metadata: ChartMetadata, created: Date | undefined): Record<string, string> {
  const { name, version, description, home, sources } = metadata
  const all: [string, unknown][] = [
    ['created', created === undefined ? undefined : formatTime(created)],
    ['description', description],
    ['source', Array.isArray(sources) ? sources[0] : undefined],
    ['title', name],
    ['url', home],
    ['version', version],
  ]
  const given = all.filter(([, value]) => typeof value === 'string' && value !== '') as [string, string][]
  return Object.fromEntries(given.map(([key, value]) => [`org.opencontainers.image.${key}`, value]))
}

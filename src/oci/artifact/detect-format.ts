import { LadingError } from '../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import { type ImageManifest, mediaTypes } from '../manifest.ts'
import { type ArtifactFormat, artifactMediaTypes } from './media-types.ts'
import { hasKustomizerAnnotations, ociAnnotations } from './metadata.ts'

/** How an artifact is laid out, and the layer that holds its content. */
export interface DetectedFormat {
  readonly format: ArtifactFormat
  readonly layer: Descriptor
  /** Further layers with manifests, each a file of its own. */
  readonly more?: readonly Descriptor[]
}

const yamlTypes: ReadonlySet<string> = new Set([
  artifactMediaTypes.yaml,
  'application/yaml',
  'text/yaml',
  'text/x-yaml',
  'application/vnd.cncf.flux.content.v1.yaml',
  'application/vnd.cncf.flux.content.v1.yml',
])

/** Tells the format of an artifact by its media types. */
export function detectFormat(manifest: ImageManifest): DetectedFormat {
  if (manifest.config.mediaType === artifactMediaTypes.helmConfig)
    return { format: 'helm', layer: chartLayer(manifest) }
  const [layer] = manifest.layers
  if (layer === undefined) throw new LadingError('artifact.invalid', 'the artifact has no layer')
  const { mediaType } = layer
  const annotated = hasKustomizerAnnotations(manifest.annotations ?? {})
  const isFlux =
    manifest.config.mediaType === artifactMediaTypes.fluxConfig || mediaType.startsWith(artifactMediaTypes.fluxPrefix)
  if (annotated) return { format: isFlux ? 'lading' : 'kustomizer', layer }
  // Anything else in Docker's format is an image; nobody deploys one by its files.
  if (manifest.mediaType === mediaTypes.dockerManifest) return { format: 'kustomizer', layer }
  if (isYaml(layer)) return { format: 'raw', layer, more: manifest.layers.slice(1).filter(isYaml) }
  if (isFlux) return { format: 'flux', layer }
  if (/[.+]tar(?:[.+](?:gzip|zstd))?$|^application\/(?:x-)?(?:gzip|tar)$/.test(mediaType))
    return { format: 'tar', layer }
  const message = `the first layer of the artifact is of the type ${mediaType}, which Lading does not read`
  throw new LadingError('artifact.invalid', message, { mediaType })
}

function isYaml({ mediaType, annotations }: Descriptor): boolean {
  return yamlTypes.has(mediaType) || /\.ya?ml$/.test(annotations?.[ociAnnotations.title] ?? '')
}

function chartLayer({ layers }: ImageManifest): Descriptor {
  const [layer, second] = layers.filter(({ mediaType }) => mediaType === artifactMediaTypes.helmChart)
  if (layer !== undefined && second === undefined) return layer
  throw new LadingError(
    'artifact.invalid',
    `the chart artifact has ${layer === undefined ? 'no' : 'more than one'} chart`,
  )
}

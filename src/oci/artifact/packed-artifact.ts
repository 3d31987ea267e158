import { describe, type Descriptor } from '../descriptor.ts'
import { type ImageManifest, mediaTypes } from '../manifest.ts'

/** Content and its descriptor. */
export interface Blob {
  readonly descriptor: Descriptor
  readonly content: Uint8Array
}

/** An artifact that is ready to be pushed; its digest is the one of the manifest. */
export interface PackedArtifact {
  readonly manifest: Blob
  /** The config, then the layers. */
  readonly blobs: readonly Blob[]
}

/** What a manifest says. */
export interface ManifestParts {
  readonly mediaType?: ImageManifest['mediaType']
  readonly artifactType?: string
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
  /** What the artifact is about, for one that others find by it. */
  readonly subject?: Descriptor
  readonly annotations: Readonly<Record<string, string>>
}

/** What a manifest says, with the contents that it refers to. */
export interface ArtifactParts extends Omit<ManifestParts, 'config' | 'layers'> {
  readonly config: Blob
  readonly layers: readonly Blob[]
}

/** Makes an artifact of its parts. */
export function assemble({ config, layers, ...rest }: ArtifactParts): PackedArtifact {
  const descriptors = layers.map((layer) => layer.descriptor)
  return {
    manifest: writeManifest({ ...rest, config: config.descriptor, layers: descriptors }),
    blobs: [config, ...layers],
  }
}

/** Writes a manifest, its fields in one order. */
export function writeManifest(parts: ManifestParts): Blob {
  const { mediaType = mediaTypes.ociManifest, artifactType, config, layers, subject, annotations } = parts
  const manifest = {
    schemaVersion: 2,
    mediaType,
    artifactType,
    config,
    layers,
    subject,
    annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
  }
  return blob(mediaType, JSON.stringify(manifest))
}

/** Content with its descriptor. */
export function blob(
  mediaType: string,
  content: Uint8Array | string,
  annotations?: Readonly<Record<string, string>>,
): Blob {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { descriptor: describe(mediaType, bytes, annotations === undefined ? {} : { annotations }), content: bytes }
}

/** The config of what has none (OCI image specification, "Guidance for an Empty Descriptor"). */
export function emptyConfig(): Blob {
  return blob(mediaTypes.ociEmpty, '{}')
}

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

/** The parts of an artifact, before they have digests. */
export interface ArtifactParts {
  readonly mediaType?: ImageManifest['mediaType']
  readonly artifactType?: string
  readonly config: Blob
  readonly layers: readonly Blob[]
  readonly annotations: Readonly<Record<string, string>>
}

/** Writes the manifest of an artifact. */
export function assemble(parts: ArtifactParts): PackedArtifact {
  const mediaType = parts.mediaType ?? mediaTypes.ociManifest
  const manifest = {
    schemaVersion: 2,
    mediaType,
    ...(parts.artifactType === undefined ? {} : { artifactType: parts.artifactType }),
    config: parts.config.descriptor,
    layers: parts.layers.map((layer) => layer.descriptor),
    ...(Object.keys(parts.annotations).length === 0 ? {} : { annotations: parts.annotations }),
  }
  return { manifest: blob(mediaType, JSON.stringify(manifest)), blobs: [parts.config, ...parts.layers] }
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

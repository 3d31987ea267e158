import { createHash } from 'node:crypto'
import { defined, type KubeObject, LadingError } from '../../core/index.ts'
import { gzip } from '../archive/compress.ts'
import { packTar } from '../archive/pack-tar.ts'
import { digestOf } from '../descriptor.ts'
import { encryptAge } from '../encryption/age.ts'
import { mediaTypes } from '../manifest.ts'
import { type ArtifactFormat, artifactMediaTypes } from './media-types.ts'
import { annotationsOf, type ArtifactMetadata, type FetchedPart, formatTime, ociAnnotations } from './metadata.ts'
import { objectsYaml } from './objects-yaml.ts'
import { assemble, type Blob, blob, emptyConfig, type PackedArtifact } from './packed-artifact.ts'

/** What an artifact says about where it comes from. */
export interface PackOrigin {
  /** Where the source lies, as a URL. */
  readonly source?: string
  /** Which state of it, as `main@sha1:…` or `main/…`. */
  readonly revision?: string
  /** When it was made. Never the time of packing by itself: the beginning of 1970, so that the digest is the same again. */
  readonly created?: Date
  /** What was fetched from other hosts to make it. */
  readonly remotes?: readonly FetchedPart[]
}

/** How objects are packed. */
export interface PackObjectsOptions extends PackOrigin {
  /** How the objects are packed (default: `lading`, which Flux and kustomizer both read). */
  readonly format?: Exclude<ArtifactFormat, 'helm'>
  /** The value of `kustomizer.dev/version` (default: 1.0.0). */
  readonly version?: string
  /** Encrypts for these recipients of age; only the formats that kustomizer reads can be encrypted. */
  readonly recipients?: readonly string[]
}

/** Packs objects: the same objects and options give the same digest, in whatever order they come (unless encrypted). */
export async function packObjects(
  objects: readonly KubeObject[],
  options: PackObjectsOptions = {},
): Promise<PackedArtifact> {
  if (objects.length === 0) throw new LadingError('source.empty', 'there are no objects to pack')
  const { format = 'lading', recipients = [] } = options
  const yaml = Buffer.from(objectsYaml(objects))
  const encrypted = recipients.length > 0
  if (encrypted && format !== 'lading' && format !== 'kustomizer') {
    throw new LadingError('usage.invalid', `artifacts of the format ${format} cannot be encrypted`)
  }
  const checksum = createHash('sha256').update(yaml).digest('hex')
  const metadata = { ...originOf(options), version: options.version ?? '1.0.0', checksum, encrypted }
  if (format === 'raw') return packRaw(yaml, metadata)
  const file = encrypted
    ? { name: 'all.yaml.age', content: await encryptAge(yaml, recipients) }
    : { name: 'all.yaml', content: yaml }
  const mode = format === 'kustomizer' ? 0o600 : 0o644
  const tar = packTar(new Map([[file.name, { content: file.content, mode }]]))
  switch (format) {
    case 'kustomizer':
      return assemble({
        mediaType: mediaTypes.dockerManifest,
        config: imageConfig(mediaTypes.dockerConfig, tar, metadata),
        layers: [blob(mediaTypes.dockerLayerTarGzip, await gzip(tar))],
        annotations: annotationsOf(metadata, ['kustomizer']),
      })
    case 'lading':
      return packFlux(tar, metadata, ['kustomizer', 'oci'])
    case 'flux':
      return packFlux(tar, metadata, ['oci'])
    case 'tar':
      return packPlain(tar, metadata)
  }
}

/** The layout of Flux around an archive. */
export async function packFlux(
  tar: Uint8Array,
  metadata: ArtifactMetadata,
  annotations: readonly ('kustomizer' | 'oci')[],
): Promise<PackedArtifact> {
  return assemble({
    config: imageConfig(artifactMediaTypes.fluxConfig, tar, metadata),
    layers: [blob(artifactMediaTypes.fluxContent, await gzip(tar))],
    annotations: annotationsOf(metadata, annotations),
  })
}

/** An archive as the one layer of an artifact without a config. */
export async function packPlain(tar: Uint8Array, metadata: ArtifactMetadata): Promise<PackedArtifact> {
  return assemble({
    artifactType: artifactMediaTypes.ladingManifests,
    config: emptyConfig(),
    layers: [blob(mediaTypes.ociLayerTarGzip, await gzip(tar))],
    annotations: annotationsOf(metadata, ['oci']),
  })
}

/** Metadata that only tells the origin. */
export function originOf({ source, revision, created = new Date(0), remotes }: PackOrigin): ArtifactMetadata {
  return {
    created: formatTime(created),
    encrypted: false,
    ...defined({ sourceUrl: source, sourceRevision: revision, remotes }),
  }
}

function packRaw(yaml: Uint8Array, metadata: ArtifactMetadata): PackedArtifact {
  return assemble({
    artifactType: artifactMediaTypes.ladingManifests,
    config: emptyConfig(),
    layers: [blob(artifactMediaTypes.yaml, yaml, { [ociAnnotations.title]: 'manifest.yaml' })],
    annotations: annotationsOf(metadata, ['oci']),
  })
}

/** The config of an image that runs nowhere, as Flux and kustomizer write it; readers of images expect the diff ids. */
function imageConfig(mediaType: string, tar: Uint8Array, { created }: ArtifactMetadata): Blob {
  const rootfs = { type: 'layers', diff_ids: [digestOf(tar)] }
  return blob(mediaType, JSON.stringify({ architecture: '', created, os: '', rootfs, config: {} }))
}

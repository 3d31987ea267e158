import { type Context, type KubeObject, LadingError } from '../../core/index.ts'
import type { ArchiveFile } from '../../core/tar/index.ts'
import { type ArchiveLimits, defaultArchiveLimits } from '../archive/limits.ts'
import { isDigest } from '../descriptor.ts'
import { isIndex, maxManifestBytes, parseManifest } from '../manifest.ts'
import { fetchAll, type Target } from '../target.ts'
import { detectFormat } from './detect-format.ts'
import { type ArtifactFormat, artifactMediaTypes } from './media-types.ts'
import { type ArtifactMetadata, readMetadata } from './metadata.ts'
import { readContent } from './read-content.ts'

/** What an artifact may hold at most. */
export interface ArtifactLimits extends ArchiveLimits {
  readonly objects: number
}

/** How an artifact is pulled. */
export interface PullArtifactOptions {
  /** Identities of age (`AGE-SECRET-KEY-…`) for encrypted artifacts. */
  readonly identities?: readonly string[]
  readonly limits?: Partial<ArtifactLimits>
  /** Refuses any other manifest, whatever the tag names meanwhile. */
  readonly expectDigest?: string
}

/** An artifact whose every byte was verified and whose objects were read. */
export interface PulledArtifact {
  /** The digest of the manifest. */
  readonly digest: string
  readonly format: ArtifactFormat
  readonly metadata: ArtifactMetadata
  readonly annotations: Readonly<Record<string, string>>
  /** What the files are: `objects` as they stand, a `tree` that has to be rendered first (kustomization, pack), or a `chart`. */
  readonly content: 'objects' | 'tree' | 'chart'
  readonly files: ReadonlyMap<string, ArchiveFile>
  /** The objects, and the text they were read from; empty where the content has to be rendered first. */
  readonly objects: readonly KubeObject[]
  readonly yaml: string
  /** The archive and its provenance, where it is a chart. */
  readonly chart?: { readonly archive: Uint8Array; readonly provenance?: Uint8Array }
}

const maxProvenanceBytes = 1024 * 1024

/** Pulls an artifact by tag or digest and reads it, whatever the format: kustomizer, Flux, Lading, raw YAML, Helm chart, tar. */
export async function pullArtifact(
  target: Target,
  tagOrDigest: string,
  options: PullArtifactOptions,
  ctx: Context,
): Promise<PulledArtifact> {
  const limits: ArtifactLimits = { ...defaultArchiveLimits, objects: 20_000, ...options.limits }
  const descriptor = await target.resolve(tagOrDigest, ctx)
  const { digest } = descriptor
  const expected = options.expectDigest ?? (isDigest(tagOrDigest) ? tagOrDigest : digest)
  if (digest !== expected) {
    throw new LadingError('oci.digest-mismatch', `${tagOrDigest} is ${digest}, expected is ${expected}`, {
      digest,
      expected,
    })
  }
  const manifest = parseManifest(await fetchAll(target, descriptor, maxManifestBytes, ctx), descriptor)
  if (isIndex(manifest)) {
    const message = `${tagOrDigest} is an index of ${manifest.manifests.length} manifests: name one of them by its digest`
    throw new LadingError('artifact.invalid', message, { digest })
  }
  const annotations = manifest.annotations ?? {}
  const { format, layer } = detectFormat(manifest)
  const metadata = readMetadata(annotations, format === 'kustomizer' || format === 'lading')
  const identities = options.identities ?? []
  if (metadata.encrypted && identities.length === 0) {
    throw new LadingError(
      'artifact.encrypted',
      `${tagOrDigest} is encrypted, and there is no identity to decrypt it with`,
    )
  }
  const packed = await fetchAll(target, layer, limits.packedBytes, ctx)
  const read = await readContent({ format, layer, packed, metadata, identities, limits })
  if (format !== 'helm' || read.content !== 'chart') return { digest, format, metadata, annotations, ...read }
  const signed = manifest.layers.find(({ mediaType }) => mediaType === artifactMediaTypes.helmProvenance)
  const provenance = signed && { provenance: await fetchAll(target, signed, maxProvenanceBytes, ctx) }
  return { digest, format, metadata, annotations, ...read, chart: { archive: packed, ...provenance } }
}

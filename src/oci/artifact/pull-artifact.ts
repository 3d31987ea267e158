import { type Context, type KubeObject, LadingError } from '../../core/index.ts'
import type { ArchiveFile } from '../../core/tar/index.ts'
import { type ArchiveLimits, defaultArchiveLimits } from '../archive/limits.ts'
import { isDigest } from '../descriptor.ts'
import { type ImageIndex, isIndex, maxManifestBytes, parseManifest } from '../manifest.ts'
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
    throw new LadingError('artifact.invalid', `${tagOrDigest} is an index: name one of ${listOf(manifest)}`, { digest })
  }
  const annotations = manifest.annotations ?? {}
  const { format, layer, more = [] } = detectFormat(manifest)
  if (format !== 'helm' && manifest.layers.length > 1 + more.length) {
    ctx.log.warn(`of the ${manifest.layers.length} layers of ${tagOrDigest} only ${1 + more.length} are read`)
  }
  const metadata = readMetadata(annotations, format === 'kustomizer' || format === 'lading')
  const identities = options.identities ?? []
  if (metadata.encrypted && identities.length === 0) {
    throw new LadingError(
      'artifact.encrypted',
      `${tagOrDigest} is encrypted, and there is no identity to decrypt it with`,
    )
  }
  const packed = await fetchAll(target, layer, limits.packedBytes, ctx)
  const others = []
  let left = limits.packedBytes - packed.byteLength
  for (const one of more) {
    others.push({ layer: one, packed: await fetchAll(target, one, left, ctx) })
    left -= one.size
  }
  const read = await readContent({ format, layer, packed, others, metadata, identities, limits })
  if (format !== 'helm' || read.content !== 'chart') return { digest, format, metadata, annotations, ...read }
  const signed = manifest.layers.find(({ mediaType }) => mediaType === artifactMediaTypes.helmProvenance)
  const provenance = signed && { provenance: await fetchAll(target, signed, maxProvenanceBytes, ctx) }
  return { digest, format, metadata, annotations, ...read, chart: { archive: packed, ...provenance } }
}

/** What the annotations of an artifact say, without reading what it holds: an encrypted one needs no identity for it. */
export async function readArtifactMetadata(target: Target, digest: string, ctx: Context): Promise<ArtifactMetadata> {
  const descriptor = await target.resolve(digest, ctx)
  const manifest = parseManifest(await fetchAll(target, descriptor, maxManifestBytes, ctx), descriptor)
  return readMetadata(manifest.annotations ?? {}, false)
}

/** The manifests of an index as a person can choose among them. */
function listOf({ manifests }: ImageIndex): string {
  if (manifests.length === 0) return 'its manifests, of which there are none'
  const named = manifests.slice(0, 10).map(({ digest, platform }) => {
    const { os, architecture } = platform ?? {}
    return os === undefined || architecture === undefined ? digest : `${digest} (${os}/${architecture})`
  })
  return `its manifests by its digest: ${named.join(', ')}${manifests.length > 10 ? ', …' : ''}`
}

import { type Descriptor, parseDigest } from '../descriptor.ts'
import { isManifestType, mediaTypes } from '../manifest.ts'

/** What requests may want to do with a repository. */
export type Right = 'pull' | 'push' | 'delete'

/** The scope of a token for a repository. */
export function scopeOf(repository: string, ...rights: Right[]): string {
  return `repository:${repository}:${rights.join(',')}`
}

/** Path of a manifest by tag or digest. */
export function manifestPath(repository: string, tagOrDigest: string): string {
  return `/v2/${repository}/manifests/${tagOrDigest}`
}

/** Path of content by its digest, which is checked before it becomes part of a path. */
export function contentPath(repository: string, { digest, mediaType }: Descriptor): string {
  parseDigest(digest)
  return isManifestType(mediaType) ? manifestPath(repository, digest) : `/v2/${repository}/blobs/${digest}`
}

/** The Accept header for manifests: without it registries give old formats. */
export const acceptManifests = [
  mediaTypes.ociManifest,
  mediaTypes.ociIndex,
  mediaTypes.dockerManifest,
  mediaTypes.dockerManifestList,
].join(', ')

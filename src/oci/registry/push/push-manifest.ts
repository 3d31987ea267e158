import { type Context, isLadingError, LadingError } from '../../../core/index.ts'
import { dump } from '../../../net/index.ts'
import { type Descriptor, digestMismatch } from '../../descriptor.ts'
import { header } from '../answer-error.ts'
import type { RegistryClient } from '../client.ts'
import { manifestPath, scopeOf } from '../repository-paths.ts'

/** Writes a manifest by its digest or under a tag; says whether the registry lists it with its subject by itself. */
export async function putManifest(
  client: RegistryClient,
  repository: string,
  d: Descriptor,
  content: Uint8Array,
  tagOrDigest: string,
  ctx: Context,
): Promise<{ readonly subjectKnown: boolean }> {
  const what = `push of manifest ${tagOrDigest} to ${repository}`
  try {
    const answer = await client.send(
      {
        method: 'PUT',
        to: manifestPath(repository, tagOrDigest),
        headers: { 'content-type': d.mediaType, 'content-length': String(content.byteLength) },
        body: content,
        scopes: [scopeOf(repository, 'pull', 'push')],
        expect: [201, 202],
        what,
      },
      ctx,
    )
    await dump(answer)
    const digest = header(answer, 'docker-content-digest')
    // Registries answer in sha256 also where they were given sha512: only the same algorithm tells something.
    if (digest !== undefined && digest !== d.digest && sameAlgorithm(digest, d.digest)) throw digestMismatch(d, digest)
    return { subjectKnown: header(answer, 'oci-subject') !== undefined }
  } catch (error) {
    // While a manifest is written, what is unknown is what it refers to.
    const missing =
      isLadingError(error, 'oci.not-found') &&
      (error.details.code === 'BLOB_UNKNOWN' || error.details.code === 'MANIFEST_UNKNOWN')
    if (!missing) throw error
    throw new LadingError('oci.incomplete', error.message, error.details, { cause: error })
  }
}

function sameAlgorithm(a: string, b: string): boolean {
  return a.split(':', 1)[0] === b.split(':', 1)[0]
}

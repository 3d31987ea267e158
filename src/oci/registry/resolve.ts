import { type Context, LadingError } from '../../core/index.ts'
import { dump, type WireAnswer } from '../../net/index.ts'
import { type Descriptor, digestMismatch, digestOf, isDigest, parseDigest } from '../descriptor.ts'
import { isManifestType, maxManifestBytes } from '../manifest.ts'
import { header } from './answer-error.ts'
import type { RegistryClient } from './client.ts'
import { readAnswer } from './network/read-body.ts'
import { acceptManifests, manifestPath, scopeOf } from './repository-paths.ts'

/** The descriptor of a manifest by tag or digest: by a HEAD, and by a GET where a registry leaves out what is needed. */
export async function resolveManifest(
  client: RegistryClient,
  repository: string,
  tagOrDigest: string,
  ctx: Context,
): Promise<Descriptor> {
  const ask = (method: 'HEAD' | 'GET'): Promise<WireAnswer> =>
    client.send(
      {
        method,
        to: manifestPath(repository, tagOrDigest),
        headers: { accept: acceptManifests },
        scopes: [scopeOf(repository, 'pull')],
        expect: [200],
        what: `search for ${tagOrDigest} in ${repository}`,
      },
      ctx,
    )
  const head = await ask('HEAD')
  await dump(head)
  const mediaType = mediaTypeOf(head)
  const size = Number(header(head, 'content-length') ?? Number.NaN)
  const digest = header(head, 'docker-content-digest') ?? (isDigest(tagOrDigest) ? tagOrDigest : undefined)
  if (mediaType !== undefined && Number.isSafeInteger(size) && digest !== undefined && isDigest(digest)) {
    return checked({ mediaType, digest, size }, tagOrDigest, client)
  }
  const answer = await ask('GET')
  const bytes = await readAnswer(answer, maxManifestBytes, `the manifest ${tagOrDigest} of ${repository}`, ctx)
  const algorithm = isDigest(tagOrDigest) ? parseDigest(tagOrDigest).algorithm : 'sha256'
  const found = { mediaType: mediaTypeOf(answer) ?? '', digest: digestOf(bytes, algorithm), size: bytes.byteLength }
  return checked(found, tagOrDigest, client)
}

function checked(d: Descriptor, tagOrDigest: string, client: RegistryClient): Descriptor {
  const { host } = client.origin
  if (!isManifestType(d.mediaType)) {
    const message = `${host} has ${tagOrDigest} as ${JSON.stringify(d.mediaType)}, which is no manifest that Lading reads`
    throw new LadingError('oci.manifest-invalid', message, { registry: host })
  }
  if (isDigest(tagOrDigest) && d.digest !== tagOrDigest) throw digestMismatch({ ...d, digest: tagOrDigest }, d.digest)
  return d
}

function mediaTypeOf(answer: WireAnswer): string | undefined {
  return header(answer, 'content-type')?.split(';', 1)[0]?.trim()
}

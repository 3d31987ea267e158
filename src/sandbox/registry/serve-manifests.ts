import { isTag } from './descriptor.ts'
import { parseDigest } from './digest.ts'
import { answer, type Exchange, readBody } from './exchange.ts'
import { RegistryError } from './registry-error.ts'
import { manifestDigest, type Repository } from './repository.ts'
import { digestOrRefuse } from './serve-blobs.ts'
import { readAll } from './storage/storage.ts'

/** The size that the specification asks registries to take at least. */
const manifestLimit = 4 * 1024 * 1024

/** GET, HEAD, PUT and DELETE of `/v2/NAME/manifests/REFERENCE`. */
export async function serveManifest(
  exchange: Exchange,
  name: string,
  repository: Repository,
  reference: string,
): Promise<void> {
  if (reference.includes(':')) digestOrRefuse(reference)
  else if (!isTag(reference)) throw new RegistryError('TAG_INVALID', `${reference} cannot be a tag`)
  switch (exchange.request.method) {
    case 'GET':
    case 'HEAD':
      return sendManifest(exchange, repository, reference)
    case 'PUT':
      return putManifest(exchange, name, repository, reference)
    case 'DELETE':
      if (!(await repository.removeManifest(reference))) throw unknownManifest(reference)
      return answer(exchange, 202, {})
    default:
      throw new RegistryError('UNSUPPORTED', 'a manifest knows GET, HEAD, PUT and DELETE')
  }
}

/** `/v2/NAME/referrers/DIGEST`: an index of what says something about a manifest, which itself need not be here. */
export async function serveReferrers(exchange: Exchange, repository: Repository, digest: string): Promise<void> {
  digestOrRefuse(digest)
  const asked = exchange.url.searchParams.get('artifactType')
  const all = await repository.referrers(digest)
  const manifests = asked === null ? all : all.filter(({ artifactType }) => artifactType === asked)
  const mediaType = 'application/vnd.oci.image.index.v1+json'
  const filtered: Record<string, string> = asked === null ? {} : { 'oci-filters-applied': 'artifactType' }
  answer(exchange, 200, { 'content-type': mediaType, ...filtered }, { schemaVersion: 2, mediaType, manifests })
}

async function sendManifest(exchange: Exchange, repository: Repository, reference: string): Promise<void> {
  const { request, response } = exchange
  const found = await repository.manifest(reference)
  if (found === undefined) throw unknownManifest(reference)
  response.writeHead(200, {
    'content-type': found.mediaType,
    'content-length': found.content.size,
    'docker-content-digest': found.digest,
    etag: `"${found.digest}"`,
  })
  response.end(request.method === 'HEAD' ? undefined : await readAll(found.content))
}

async function putManifest(exchange: Exchange, name: string, repository: Repository, reference: string): Promise<void> {
  const { request } = exchange
  const bytes = await readBody(request, manifestLimit, 'a manifest')
  const digest = manifestDigest(reference, bytes)
  const tag = parseDigest(reference) === undefined ? reference : undefined
  const pushedAs = request.headers['content-type']?.split(';')[0]?.trim()
  const { subject } = await repository.putManifest(bytes, digest, pushedAs === '' ? undefined : pushedAs, tag)
  const text = `${digest.algorithm}:${digest.hex}`
  answer(exchange, 201, {
    location: `/v2/${name}/manifests/${text}`,
    'docker-content-digest': text,
    // Tells the client that this registry keeps referrers, so that it needs no tag for them.
    ...(subject === undefined ? {} : { 'oci-subject': subject.digest }),
  })
}

function unknownManifest(reference: string): RegistryError {
  return new RegistryError('MANIFEST_UNKNOWN', 'manifest unknown', { detail: { reference } })
}

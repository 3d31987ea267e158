import { type Context, isLadingError, isRecord, LadingError } from '../../core/index.ts'
import { type Descriptor, describe, parseDigest } from '../descriptor.ts'
import { isIndex, maxManifestBytes, mediaTypes, parseManifest, readDescriptor } from '../manifest.ts'
import { fetchAll } from '../target.ts'
import type { RegistryClient } from './client.ts'
import { fetchContent } from './fetch-content.ts'
import { pages } from './list-tags.ts'
import { putManifest } from './push/push-manifest.ts'
import { scopeOf } from './repository-paths.ts'
import { resolveManifest } from './resolve.ts'

const maxReferrers = 10_000

/** The manifests whose subject this is; registries without the API keep them under a tag. */
export async function listReferrers(
  client: RegistryClient,
  repository: string,
  d: Descriptor,
  artifactType: string | undefined,
  ctx: Context,
): Promise<readonly Descriptor[]> {
  const all = (await fromApi(client, repository, d, artifactType, ctx)) ?? (await fromTag(client, repository, d, ctx))
  // Filtering is the registry's to offer, not its duty.
  return all.filter((one) => artifactType === undefined || one.artifactType === artifactType)
}

/** Adds a referrer to, or removes it from, the list that stands under a tag (distribution specification, "Referrers Tag Schema"). */
export async function updateReferrersTag(
  client: RegistryClient,
  repository: string,
  subject: Descriptor,
  change: { readonly add: Descriptor } | { readonly remove: Descriptor },
  ctx: Context,
): Promise<void> {
  const before = await fromTag(client, repository, subject, ctx)
  const changed = 'add' in change ? change.add : change.remove
  const others = before.filter((one) => one.digest !== changed.digest)
  const manifests = 'add' in change ? [...others, change.add] : others
  if (manifests.length === before.length) return
  const index = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }
  const content = Buffer.from(JSON.stringify(index))
  await putManifest(client, repository, describe(mediaTypes.ociIndex, content), content, referrersTag(subject), ctx)
}

function referrersTag({ digest }: Descriptor): string {
  const { algorithm, hex } = parseDigest(digest)
  return `${algorithm}-${hex.slice(0, 64)}`
}

async function fromApi(
  client: RegistryClient,
  repository: string,
  d: Descriptor,
  artifactType: string | undefined,
  ctx: Context,
): Promise<Descriptor[] | undefined> {
  parseDigest(d.digest)
  const query = artifactType === undefined ? '' : `?${new URLSearchParams({ artifactType }).toString()}`
  const request = {
    method: 'GET',
    to: `/v2/${repository}/referrers/${d.digest}${query}`,
    headers: { accept: mediaTypes.ociIndex },
    scopes: [scopeOf(repository, 'pull')],
    expect: [200],
    what: `list of what refers to ${d.digest} in ${repository}`,
  } as const
  const found: Descriptor[] = []
  try {
    for await (const { value } of pages(client, request, ctx))
      found.push(...readPage(value, request.what, found.length))
    return found
  } catch (error) {
    // Registries without the API answer 404, some 400 or 405; a broken one must not pass for one without referrers.
    if (isLadingError(error, 'oci.not-found', 'oci.unsupported', 'oci.refused', 'oci.manifest-invalid'))
      return undefined
    if (isLadingError(error, 'oci.reference-invalid')) return undefined
    throw error
  }
}

function readPage(value: unknown, what: string, before: number): Descriptor[] {
  const invalid = (problem: string): LadingError => new LadingError('oci.server-error', `${what}: ${problem}`)
  const list = isRecord(value) ? value['manifests'] : undefined
  if (!Array.isArray(list)) throw invalid('the answer is no index')
  if (before + list.length > maxReferrers) {
    throw new LadingError('oci.too-large', `${what}: more than the ${maxReferrers} that are allowed`)
  }
  return list.map((one, index) => readDescriptor(one, `manifests[${index}]`, invalid))
}

async function fromTag(
  client: RegistryClient,
  repository: string,
  d: Descriptor,
  ctx: Context,
): Promise<readonly Descriptor[]> {
  let index: Descriptor
  try {
    index = await resolveManifest(client, repository, referrersTag(d), ctx)
  } catch (error) {
    if (isLadingError(error, 'oci.not-found')) return []
    throw error
  }
  const fetcher = { fetch: (wanted: Descriptor) => fetchContent(client, repository, wanted, ctx) }
  const manifest = parseManifest(await fetchAll(fetcher, index, maxManifestBytes, ctx), index)
  return isIndex(manifest) ? manifest.manifests : []
}

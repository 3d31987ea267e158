import {
  type Context,
  formatApiVersion,
  isLadingError,
  isRecord,
  LadingError,
  parseApiVersion,
} from '../../core/index.ts'
import type { ApiResource } from '../cluster.ts'
import type { Transport } from '../transport/transport.ts'

/** What one reading of discovery found. */
export interface ServedResources {
  /** In the server's order: groups by priority, preferred versions first. */
  readonly resources: readonly ApiResource[]
  /** Each `group/version` whose own server did not answer; its resources may be missing or old. */
  readonly stale: readonly string[]
}

// The server answers with the first form it knows; before 1.26 that is the plain list of group names.
const aggregated = ['v2', 'v2beta1'].map(
  (v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`,
)
const accept = [...aggregated, 'application/json'].join(',')

/** Reads everything a server serves: two requests, or one for each group version where discovery is not aggregated. */
export async function fetchDiscovery(transport: Transport, ctx: Context): Promise<ServedResources> {
  const parts = await Promise.all([readRoot(transport, '/api', ctx), readRoot(transport, '/apis', ctx)])
  return { resources: parts.flatMap((part) => part.resources), stale: parts.flatMap((part) => part.stale) }
}

async function readRoot(transport: Transport, path: string, ctx: Context): Promise<ServedResources> {
  const body = await getRoot(transport, path, ctx)
  if (!isRecord(body)) throw new LadingError('kube.server-error', `${path} did not answer with JSON`, { path })
  if (body['kind'] === 'APIGroupDiscoveryList') return readAggregated(body)
  const versions = groupVersions(body)
  const lists = await Promise.all(versions.map((version) => readGroupVersion(transport, version, ctx)))
  return {
    resources: lists.flatMap((list) => list ?? []),
    stale: versions.filter((_, index) => lists[index] === undefined),
  }
}

async function getRoot(transport: Transport, path: string, ctx: Context): Promise<unknown> {
  try {
    return (await transport.request({ method: 'GET', path, accept }, ctx)).body
  } catch (error) {
    // A proxy or an old server may refuse the long Accept header instead of choosing from it.
    if (isLadingError(error) && error.details.status === 406) {
      return (await transport.request({ method: 'GET', path }, ctx)).body
    }
    throw error
  }
}

function readAggregated(body: Record<string, unknown>): ServedResources {
  const resources: ApiResource[] = []
  const stale: string[] = []
  for (const item of records(body['items'])) {
    const metadata = item['metadata']
    const group = isRecord(metadata) ? text(metadata['name']) : ''
    for (const entry of records(item['versions'])) {
      const version = text(entry['version'])
      if (entry['freshness'] === 'Stale') stale.push(formatApiVersion({ group, version }))
      for (const resource of records(entry['resources'])) {
        const kind = isRecord(resource['responseKind']) ? text(resource['responseKind']['kind']) : ''
        // The server leaves the kind out when it cannot tell what the resource returns; such a one has no objects.
        if (kind === '') continue
        resources.push({
          group,
          version,
          kind,
          resource: text(resource['resource']),
          namespaced: resource['scope'] === 'Namespaced',
          verbs: texts(resource['verbs']),
          shortNames: texts(resource['shortNames']),
          categories: texts(resource['categories']),
          subresources: records(resource['subresources']).map((sub) => text(sub['subresource'])),
        })
      }
    }
  }
  return { resources, stale }
}

/** Every `group/version` of an `APIVersions` or an `APIGroupList`, preferred first within its group. */
function groupVersions(body: Record<string, unknown>): string[] {
  if (body['kind'] === 'APIVersions') return texts(body['versions'])
  return records(body['groups']).flatMap((group) => {
    const preferred = isRecord(group['preferredVersion']) ? text(group['preferredVersion']['groupVersion']) : ''
    const versions = records(group['versions']).map((version) => text(version['groupVersion']))
    return versions.toSorted((a, b) => Number(b === preferred) - Number(a === preferred))
  })
}

/** The resources of one group version; undefined when its server does not answer, which must not hide the others. */
async function readGroupVersion(
  transport: Transport,
  groupVersion: string,
  ctx: Context,
): Promise<ApiResource[] | undefined> {
  const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`
  try {
    const { body } = await transport.request({ method: 'GET', path }, ctx)
    return isRecord(body) ? readResourceList(groupVersion, records(body['resources'])) : undefined
  } catch (error) {
    if (isLadingError(error, 'kube.server-error', 'kube.not-found', 'kube.forbidden')) return undefined
    throw error
  }
}

function readResourceList(groupVersion: string, entries: Record<string, unknown>[]): ApiResource[] {
  const subresources = Map.groupBy(
    entries.filter((entry) => text(entry['name']).includes('/')),
    (entry) => text(entry['name']).split('/')[0],
  )
  return entries
    .filter((entry) => !text(entry['name']).includes('/'))
    .map((entry) => ({
      ...parseApiVersion(groupVersion),
      kind: text(entry['kind']),
      resource: text(entry['name']),
      namespaced: entry['namespaced'] === true,
      verbs: texts(entry['verbs']),
      shortNames: texts(entry['shortNames']),
      categories: texts(entry['categories']),
      subresources: (subresources.get(text(entry['name'])) ?? []).map((sub) => text(sub['name']).split('/')[1] ?? ''),
    }))
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

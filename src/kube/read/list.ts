import { type Context, type GroupVersionKind, isLadingError, isRecord, type KubeObject } from '../../core/index.ts'
import { LadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { asKind } from './object-body.ts'
import type { GroupArgument, ObjectShape, QueriedObject } from '../object-types.ts'
import { collectionPath, resolveResource } from '../discovery/paths.ts'
import { requestKind } from './request-kind.ts'

/** Which objects to read. */
export interface ObjectQuery<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  MetadataOnly extends boolean = boolean,
> {
  readonly gvk: GroupVersionKind<Group, Version, Kind>
  /** All namespaces when absent. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Only `metadata` is sent, under the objects' own kind. */
  readonly metadataOnly?: MetadataOnly
  /** Objects per request (default: 500; 0 for all at once). */
  readonly pageSize?: number
}

/** Which objects to list. */
export interface ListQuery<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  MetadataOnly extends boolean = boolean,
> extends ObjectQuery<Group, Version, Kind, MetadataOnly> {
  /** `0` is any version the server has at hand; another is a lower bound, or exact, as `resourceVersionMatch` says. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

/** Objects as they were at one resourceVersion. */
export interface ObjectList<Object extends ObjectShape = KubeObject> {
  readonly items: readonly Object[]
  readonly resourceVersion: string
}

/** Part of a list; all pages of one list show the same moment. */
export interface ListPage<Object extends ObjectShape = KubeObject> extends ObjectList<Object> {
  /** How many objects come after this page, where the server knows. */
  readonly remaining?: number
}

const defaultPageSize = 500
const restarts = 2

/** Lists objects in pages; a list that expires half-way is started again, so the result is of one moment. */
export async function listObjects<
  const Group extends string | ObjectShape = string,
  const Version extends string = string,
  const Kind extends string = string,
  const MetadataOnly extends boolean = false,
>(
  cluster: Cluster,
  query: ListQuery<GroupArgument<Group>, Version, Kind, MetadataOnly>,
  ctx: Context,
): Promise<ObjectList<QueriedObject<Group, Version, Kind, MetadataOnly>>> {
  type Item = QueriedObject<Group, Version, Kind, MetadataOnly>
  for (let attempt = 0; ; attempt++) {
    // A server that compacts faster than pages can be read still answers in one piece.
    const pageSize = attempt < restarts ? query.pageSize : 0
    try {
      const items: Item[] = []
      let resourceVersion = ''
      for await (const page of listPages(cluster, { ...query, pageSize }, ctx)) {
        for (const item of page.items) items.push(item)
        resourceVersion = page.resourceVersion
      }
      return { items, resourceVersion }
    } catch (error) {
      // An exact version that is gone stays gone.
      const restartable = isLadingError(error, 'kube.expired') && query.resourceVersionMatch !== 'Exact'
      if (!restartable || attempt >= restarts) throw error
      ctx.log.debug('list expired, starting again', { kind: query.gvk.kind })
    }
  }
}

/** Lists objects page by page; throws `kube.expired` when the server has forgotten the list before its end. */
export async function* listPages<
  const Group extends string | ObjectShape = string,
  const Version extends string = string,
  const Kind extends string = string,
  const MetadataOnly extends boolean = false,
>(
  cluster: Cluster,
  query: ListQuery<GroupArgument<Group>, Version, Kind, MetadataOnly>,
  ctx: Context,
): AsyncGenerator<ListPage<QueriedObject<Group, Version, Kind, MetadataOnly>>> {
  const resource = await resolveResource(cluster, query.gvk, ctx)
  const path = collectionPath(resource, query.namespace)
  const accept = query.metadataOnly === true ? partialMetadataList : 'application/json'
  let limit = query.pageSize ?? defaultPageSize
  let token = ''
  for (;;) {
    const parameters = { ...selectors(query), limit: limit === 0 ? undefined : limit, ...position(query, token) }
    let page: ReadPage
    try {
      const body = await requestKind(cluster, query.gvk, { method: 'GET', path, query: parameters, accept }, ctx)
      page = readPage(body, query.gvk)
    } catch (error) {
      if (!isLadingError(error, 'kube.response-too-large') || limit === 1) throw error
      // 500 Secrets of a megabyte do not fit any sensible limit; fewer at a time do.
      limit = Math.max(1, Math.floor((limit === 0 ? defaultPageSize : limit) / 8))
      continue
    }
    yield page as ReadPage<QueriedObject<Group, Version, Kind, MetadataOnly>>
    if (page.token === '') return
    token = page.token
  }
}

/** The selectors of a query as parameters of a request. */
export function selectors(query: ObjectQuery): Record<string, string | undefined> {
  return { labelSelector: query.labelSelector, fieldSelector: query.fieldSelector }
}

interface ReadPage<Object extends ObjectShape = KubeObject> extends ListPage<Object> {
  readonly token: string
}

const partialMetadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/** The token stands for the moment of the first page, so the server refuses a resourceVersion beside it. */
function position(query: ListQuery, token: string): Record<string, string | undefined> {
  if (token !== '') return { continue: token }
  return { resourceVersion: query.resourceVersion, resourceVersionMatch: query.resourceVersionMatch }
}

function readPage(body: unknown, gvk: GroupVersionKind): ReadPage {
  const metadata = isRecord(body) ? body['metadata'] : undefined
  if (!isRecord(body) || !isRecord(metadata)) {
    throw new LadingError('kube.server-error', `the API server did not answer with a list of ${gvk.kind}`)
  }
  const { continue: token, remainingItemCount, resourceVersion } = metadata
  // Go writes an empty slice of some lists as null.
  const items = Array.isArray(body['items']) ? body['items'].map((item) => asKind(item, gvk)) : []
  return {
    items,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    token: typeof token === 'string' ? token : '',
    ...(typeof remainingItemCount === 'number' && { remaining: remainingItemCount }),
  }
}

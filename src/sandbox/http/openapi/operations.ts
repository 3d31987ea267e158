import type { GroupVersionKind } from '../../../core/index.ts'

/** The verbs that have an operation, as discovery names them. */
export type DescribedVerb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** What an operation works on. */
export interface OperationTarget {
  readonly gvk: GroupVersionKind
  /** OpenAPI's name of the type, where there is one. */
  readonly type: string | undefined
  readonly listType: string | undefined
}

/** The HTTP method of each verb, the word that OpenAPI has for it, and its query. */
const verbs: Readonly<Record<DescribedVerb, { method: string; action: string; query: readonly string[] }>> = {
  get: { method: 'get', action: 'get', query: [] },
  list: { method: 'get', action: 'list', query: ['allowWatchBookmarks', 'watch', ...listQuery()] },
  create: { method: 'post', action: 'post', query: writeQuery() },
  update: { method: 'put', action: 'put', query: writeQuery() },
  patch: { method: 'patch', action: 'patch', query: [...writeQuery(), 'force'] },
  delete: { method: 'delete', action: 'delete', query: deleteQuery() },
  deletecollection: { method: 'delete', action: 'deletecollection', query: [...deleteQuery(), ...listQuery()] },
}

/** Whether a verb of discovery has an operation of its own; `watch` is a parameter of `list`. */
export function isDescribed(verb: string): verb is DescribedVerb {
  return Object.hasOwn(verbs, verb)
}

/** The operation of a verb, with its method. */
export function operation(verb: DescribedVerb, target: OperationTarget): [method: string, operation: object] {
  const { method, action, query } = verbs[verb]
  const { group, version, kind } = target.gvk
  const described = {
    ...(query.length === 0 ? {} : { parameters: query.map((name) => parameter(name, 'query')) }),
    ...requestBody(verb, target),
    responses: responses(verb, target),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  }
  return [method, described]
}

/** A parameter of a path or of a query. */
export function parameter(name: string, place: 'query' | 'path'): object {
  const schema = { type: parameterTypes.get(name) ?? 'string', uniqueItems: true }
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema }
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

const patchTypes = ['apply-patch+yaml', 'json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json']

const parameterTypes: ReadonlyMap<string, string> = new Map([
  ...['allowWatchBookmarks', 'force', 'orphanDependents', 'sendInitialEvents', 'watch'].map(
    (name) => [name, 'boolean'] as const,
  ),
  ...['gracePeriodSeconds', 'limit', 'timeoutSeconds'].map((name) => [name, 'integer'] as const),
])

function listQuery(): string[] {
  const selectors = ['continue', 'fieldSelector', 'labelSelector', 'limit']
  return [...selectors, 'resourceVersion', 'resourceVersionMatch', 'sendInitialEvents', 'timeoutSeconds']
}

// kubectl leaves validation to a server whose PATCH takes `fieldValidation`.
function writeQuery(): string[] {
  return ['dryRun', 'fieldManager', 'fieldValidation']
}

function deleteQuery(): string[] {
  return ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy']
}

function requestBody(verb: DescribedVerb, target: OperationTarget): object {
  switch (verb) {
    case 'create':
    case 'update':
      return { requestBody: { content: content(['*/*'], target.type), required: true } }
    case 'patch': {
      const types = patchTypes.map((type) => `application/${type}`)
      return { requestBody: { content: content(types, `${meta}.Patch`), required: true } }
    }
    case 'delete':
    case 'deletecollection':
      return { requestBody: { content: content(['*/*'], `${meta}.DeleteOptions`) } }
    case 'get':
    case 'list':
      return {}
  }
}

function responses(verb: DescribedVerb, target: OperationTarget): object {
  const ok = (type: string | undefined): object => ({ description: 'OK', content: content(['application/json'], type) })
  const unauthorized = { 401: { description: 'Unauthorized' } }
  switch (verb) {
    case 'list':
      return { 200: ok(target.listType), ...unauthorized }
    case 'delete':
    case 'deletecollection':
      return { 200: ok(`${meta}.Status`), ...unauthorized }
    case 'create':
    case 'update':
    case 'patch':
      return { 200: ok(target.type), 201: ok(target.type), ...unauthorized }
    case 'get':
      return { 200: ok(target.type), ...unauthorized }
  }
}

function content(mediaTypes: readonly string[], type: string | undefined): object {
  const body = type === undefined ? {} : { schema: { $ref: `#/components/schemas/${type}` } }
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, body]))
}

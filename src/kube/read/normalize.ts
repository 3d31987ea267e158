import type { GroupVersionKind, KubeObject } from '../../core/index.ts'
import { formatRef, gvkOf, isRecord, isSecretKind, LadingError, refOf } from '../../core/index.ts'
import type { ApiResource } from '../cluster.ts'

/**
 * The object as it may be sent for server-side apply. Left out is what only the server may say: `managedFields` (refused
 * by the server), `resourceVersion` and `uid` (they would turn the apply into a precondition, which the caller asks for
 * otherwise), `creationTimestamp`, `generation`, `deletionTimestamp`, `deletionGracePeriodSeconds`, `selfLink`, and
 * `status` where the kind has a status subresource (elsewhere it is an ordinary field). A namespace is never put on a
 * cluster-scoped object.
 */
export function sendable(object: KubeObject, resource: ApiResource): KubeObject {
  const { name } = object.metadata
  if (typeof name !== 'string' || name === '') {
    const message = `${object.kind} has no metadata.name: server-side apply needs one (generateName cannot be applied)`
    throw new LadingError('object.invalid', message, { kind: object.kind })
  }
  const metadata = { ...object.metadata }
  for (const field of serverOnly) delete metadata[field]
  if (!resource.namespaced) delete metadata.namespace
  const sent = normalize({ ...object, metadata })
  if (resource.subresources.includes('status')) delete sent['status']
  return sent
}

const serverOnly = [
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
]

/**
 * The object in the form that the server stores, where server-side apply would otherwise own the wrong field. The
 * argument is not changed.
 */
export function normalize(object: KubeObject): KubeObject {
  if (isSecretKind(object)) return withoutStringData(object)
  const gvk = gvkOf(object)
  if (gvk.group === '' && gvk.kind === 'Service') return withItems(object, ['spec', 'ports'], withProtocol)
  const podSpec = podSpecPath(gvk)
  if (podSpec === undefined) return object
  return containerLists.reduce(
    (result, list) => withItems(result, [...podSpec, list], (item) => withItems(item, ['ports'], withProtocol)),
    object,
  )
}

const containerLists = ['containers', 'initContainers']

/**
 * The server writes `stringData` into `data` but records that we own `stringData`, so a key that is later left out would
 * stay in `data` for good. Sent as `data` we own what is stored.
 */
function withoutStringData(object: KubeObject): KubeObject {
  const { stringData, ...secret } = object
  if (!isRecord(stringData)) return object
  const data = new Map<string, unknown>(isRecord(secret['data']) ? Object.entries(secret['data']) : [])
  for (const [key, value] of Object.entries(stringData)) {
    if (typeof value !== 'string') {
      const message = `${formatRef(refOf(object))}: stringData.${key} must be a string`
      throw new LadingError('object.invalid', message, { ...refOf(object), field: `stringData.${key}` })
    }
    data.set(key, Buffer.from(value).toString('base64'))
  }
  return { ...secret, data: Object.fromEntries(data) }
}

/** `protocol` is part of the key of a port: without it items cannot be told apart by servers and readers without defaults. */
function withProtocol<T>(port: T): T {
  return isRecord(port) && port['protocol'] === undefined ? { ...port, protocol: 'TCP' } : port
}

function podSpecPath({ group, kind }: GroupVersionKind): string[] | undefined {
  switch (`${kind}.${group}`) {
    case 'Pod.':
      return ['spec']
    case 'CronJob.batch':
      return ['spec', 'jobTemplate', 'spec', 'template', 'spec']
    case 'Deployment.apps':
    case 'StatefulSet.apps':
    case 'DaemonSet.apps':
    case 'ReplicaSet.apps':
    case 'Job.batch':
    case 'ReplicationController.':
      return ['spec', 'template', 'spec']
    default:
      return undefined
  }
}

/** A copy with every item of the list at `path` passed through `change`; the same value when there is no such list. */
function withItems<T>(value: T, path: readonly string[], change: (item: unknown) => unknown): T {
  const [field, ...rest] = path
  if (field === undefined) return (Array.isArray(value) ? value.map(change) : value) as T
  if (!isRecord(value) || value[field] === undefined) return value
  return { ...value, [field]: withItems(value[field], rest, change) }
}

import { isRecord, type KubeObject } from '../../core/index.ts'
import { issuer } from '../auth/service-account-tokens.ts'
import { type Backend, timestamp, type WriteOptions } from '../backend.ts'
import { badRequest, conflict, methodNotAllowed } from '../status-error.ts'
import { readDeleteOptions, removeObject } from './delete.ts'
import type { ApiRequest } from './handle.ts'
import { stored } from './update.ts'

type Body = KubeObject | Record<string, unknown>

/** Carries out what is asked of an object by POST: eviction and binding of pods, tokens of service accounts. */
export function createSubresource(backend: Backend, request: ApiRequest, options: WriteOptions): Body {
  const { type, subresource } = request.info
  switch (`${type.group}/${type.resource}/${subresource}`) {
    case '/pods/eviction':
      return evict(backend, request, options)
    case '/pods/binding':
      return bind(backend, request, options)
    case '/serviceaccounts/token':
      return requestToken(backend, request)
    default:
      throw methodNotAllowed()
  }
}

/** Deletes the pod; disruption budgets are not looked at. */
function evict(backend: Backend, { info, body, query }: ApiRequest, options: WriteOptions): Body {
  const given = isRecord(body) ? body['deleteOptions'] : undefined
  const asked = readDeleteOptions(given, query)
  removeObject(backend, info.type, stored(backend, info), { ...asked, dryRun: asked.dryRun || options.dryRun })
  return created
}

function bind(backend: Backend, { info, body }: ApiRequest, options: WriteOptions): Body {
  const target = isRecord(body) && isRecord(body['target']) ? body['target'] : {}
  const node = target['name']
  if (typeof node !== 'string' || node === '') throw badRequest('target.name: Required value')
  const pod = stored(backend, info)
  const spec = isRecord(pod['spec']) ? pod['spec'] : {}
  if (typeof spec['nodeName'] === 'string' && spec['nodeName'] !== '') {
    const subject = { group: '', resource: 'pods/binding', kind: 'Binding' }
    throw conflict(
      subject,
      pod.metadata.name,
      `pod ${pod.metadata.name} is already assigned to node "${spec['nodeName']}"`,
    )
  }
  const status = isRecord(pod['status']) ? pod['status'] : {}
  const conditions: unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : []
  const others = conditions.filter((other) => isRecord(other) && other['type'] !== 'PodScheduled')
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(backend.clock),
  }
  // Nobody owns what binding sets, so it goes past the managers.
  const bound = { ...pod, spec: { ...spec, nodeName: node }, status: { ...status, conditions: [...others, scheduled] } }
  if (!options.dryRun) backend.store.put(info.type.collection, bound)
  return created
}

/** A token that authenticates as the account until it expires. */
function requestToken(backend: Backend, { info, body }: ApiRequest): Body {
  if (backend.issueToken === undefined) throw methodNotAllowed()
  const account = stored(backend, info)
  const spec = isRecord(body) && isRecord(body['spec']) ? body['spec'] : {}
  const { name, namespace = '', uid = '' } = account.metadata
  const asked: unknown[] = Array.isArray(spec['audiences']) ? spec['audiences'] : []
  const audiences = asked.length === 0 ? [issuer] : asked.map(String)
  const expirationSeconds = Number(spec['expirationSeconds'] ?? 3600)
  const { token, expires } = backend.issueToken({ namespace, name, uid, audiences, expirationSeconds })
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, uid, creationTimestamp: timestamp(backend.clock) },
    spec: { audiences, expirationSeconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: { token, expirationTimestamp: `${new Date(expires).toISOString().slice(0, 19)}Z` },
  }
}

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

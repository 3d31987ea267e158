import { isRecord, type KubeObject } from '../../../core/index.ts'
import { issuer } from '../../auth/authentication/service-account-tokens.ts'
import { type Backend, timestamp, type WriteOptions } from '../../backend.ts'
import { invalidValue } from '../../kinds/causes.ts'
import { badRequest, conflict, invalid, methodNotAllowed, notFound } from '../../status-error.ts'
import { evict } from './evict.ts'
import type { ApiRequest } from '../handle.ts'
import { stored } from '../write/update.ts'

type Body = KubeObject | Record<string, unknown>

/** Carries out what is asked of an object by POST: eviction and binding of pods, tokens of service accounts. */
export function createSubresource(backend: Backend, request: ApiRequest, options: WriteOptions): Body {
  const { type, subresource } = request.info
  switch (`${type.group}/${type.resource}/${subresource}`) {
    case '/pods/eviction':
      evict(backend, request, options)
      return created
    case '/pods/binding':
      return bind(backend, request, options)
    case '/serviceaccounts/token':
      return requestToken(backend, request)
    default:
      throw methodNotAllowed()
  }
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
  if (!isRecord(body)) throw badRequest('the object provided is unrecognized (must be of type TokenRequest)')
  const account = stored(backend, info)
  const spec = isRecord(body['spec']) ? body['spec'] : {}
  const { name, namespace = '', uid = '' } = account.metadata
  const asked: unknown[] = Array.isArray(spec['audiences']) ? spec['audiences'] : []
  const audiences = asked.length === 0 ? [issuer] : asked.map(String)
  const expirationSeconds = Number(spec['expirationSeconds'] ?? 3600)
  checkDuration(expirationSeconds)
  checkBound(backend, namespace, spec['boundObjectRef'])
  const { token, expires } = backend.issueToken({ namespace, name, uid, audiences, expirationSeconds })
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, uid, creationTimestamp: timestamp(backend.clock) },
    spec: { audiences, expirationSeconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: { token, expirationTimestamp: `${new Date(expires).toISOString().slice(0, 19)}Z` },
  }
}

function checkDuration(seconds: number): void {
  const [why] = [
    ...(seconds < 600 ? ['may not specify a duration less than 10 minutes'] : []),
    ...(seconds > 2 ** 32 ? ['may not specify a duration larger than 2^32 seconds'] : []),
  ]
  if (why === undefined) return
  const subject = { group: 'authentication.k8s.io', resource: '', kind: 'TokenRequest' }
  throw invalid(subject, '', [invalidValue('spec.expirationSeconds', seconds, why)])
}

/** A token can be bound to an object, which has to be there. */
function checkBound(backend: Backend, namespace: string, bound: unknown): void {
  if (!isRecord(bound)) return
  const { kind, apiVersion, name } = bound as { kind?: string; apiVersion?: string; name?: string }
  const known = apiVersion === 'v1' ? boundKinds[kind ?? ''] : undefined
  if (known === undefined) throw badRequest(`cannot bind token to object of type /${apiVersion}, Kind=${kind}`)
  const found = backend.store.get(`/${known.resource}`, known.namespaced ? namespace : '', name ?? '')
  if (found === undefined) throw notFound({ group: '', resource: known.resource, kind: kind ?? '' }, name ?? '')
}

const boundKinds: Readonly<Record<string, { resource: string; namespaced: boolean }>> = {
  Pod: { resource: 'pods', namespaced: true },
  Secret: { resource: 'secrets', namespaced: true },
  Node: { resource: 'nodes', namespaced: false },
}

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

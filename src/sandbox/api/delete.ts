import { isRecord, type KubeObject } from '../../core/index.ts'
import { type Backend, timestamp } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'
import { badRequest, conflict } from '../status-error.ts'
import type { RequestInfo } from './request-info.ts'
import { stored } from './update.ts'

/** What a DELETE's body or query may say. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  readonly gracePeriodSeconds?: number
  readonly uid?: string
  readonly resourceVersion?: string
}

/** Kinds whose deletion waits for the thing behind the object; without a grace period it is immediate. */
const graceful: Readonly<Record<string, number>> = { Pod: 30 }

/** DELETE of one object: gone at once, or marked until its finalizers are done. Says which. */
export function remove(
  backend: Backend,
  info: RequestInfo,
  options: DeleteOptions,
): { object: KubeObject; gone: boolean } {
  return removeObject(backend, info.type, stored(backend, info), options)
}

/** Deletes a stored object, for requests and for controllers alike. */
export function removeObject(
  backend: Backend,
  type: ResourceType,
  object: KubeObject,
  options: DeleteOptions,
): { object: KubeObject; gone: boolean } {
  const { metadata } = object
  checkPreconditions(type, object, options)
  const finalizers = wantedFinalizers(object, options)
  const grace = options.gracePeriodSeconds ?? graceful[type.kind] ?? 0
  const waits = finalizers.length > 0 || (grace > 0 && holdsGrace(type, object)) || isFilledNamespace(type, object)
  if (!waits) {
    if (options.dryRun) return { object, gone: true }
    const last = backend.store.remove(type.collection, metadata.namespace ?? '', metadata.name)
    return { object: last ?? object, gone: true }
  }
  if (metadata.deletionTimestamp !== undefined && sameFinalizers(metadata.finalizers, finalizers)) {
    return { object, gone: false }
  }
  const marked: KubeObject = {
    ...object,
    ...(isFilledNamespace(type, object) ? { status: { phase: 'Terminating' } } : {}),
    metadata: {
      ...metadata,
      deletionTimestamp: metadata.deletionTimestamp ?? timestamp(backend.clock),
      deletionGracePeriodSeconds: holdsGrace(type, object) ? grace : 0,
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
    },
  }
  return { object: options.dryRun ? marked : backend.store.put(type.collection, marked), gone: false }
}

/** Reads DeleteOptions out of a body and a query; the query wins, as in the API server. */
export function readDeleteOptions(body: unknown, query: URLSearchParams): DeleteOptions {
  const given = isRecord(body) ? body : {}
  const preconditions = isRecord(given['preconditions']) ? given['preconditions'] : {}
  const policy = query.get('propagationPolicy') ?? text(given['propagationPolicy'])
  if (policy !== undefined && policy !== 'Orphan' && policy !== 'Background' && policy !== 'Foreground') {
    throw badRequest(`unknown propagationPolicy ${policy}`)
  }
  const grace = query.get('gracePeriodSeconds') ?? given['gracePeriodSeconds']
  const orphan = given['orphanDependents'] === true ? 'Orphan' : undefined
  const uid = text(preconditions['uid'])
  const resourceVersion = text(preconditions['resourceVersion'])
  const propagationPolicy = policy ?? orphan
  return {
    dryRun:
      query.getAll('dryRun').includes('All') || (Array.isArray(given['dryRun']) && given['dryRun'].includes('All')),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(grace === undefined || grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
}

function checkPreconditions(type: ResourceType, object: KubeObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = object.metadata
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`
    throw conflict(type, name, why)
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`
    throw conflict(type, name, why)
  }
}

/** The garbage collector's finalizers follow the policy; all others stay. */
function wantedFinalizers(object: KubeObject, options: DeleteOptions): string[] {
  const others = (object.metadata.finalizers ?? []).filter(
    (finalizer) => finalizer !== 'foregroundDeletion' && finalizer !== 'orphan',
  )
  switch (options.propagationPolicy) {
    case 'Foreground':
      return [...others, 'foregroundDeletion']
    case 'Orphan':
      return [...others, 'orphan']
    case 'Background':
    case undefined:
      return object.metadata.deletionTimestamp === undefined ? others : (object.metadata.finalizers ?? [])
  }
}

// A namespace is emptied before it goes; the finalizer for that stands in its spec.
function isFilledNamespace(type: ResourceType, object: KubeObject): boolean {
  if (type.kind !== 'Namespace' || type.group !== '') return false
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  return Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0
}

// A pod that no node runs has nothing to wait for.
function holdsGrace(type: ResourceType, object: KubeObject): boolean {
  if (type.kind !== 'Pod' || type.group !== '') return false
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  const status = isRecord(object['status']) ? object['status'] : {}
  return text(spec['nodeName']) !== undefined && status['phase'] !== 'Succeeded' && status['phase'] !== 'Failed'
}

function sameFinalizers(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return (a ?? []).length === b.length && b.every((finalizer) => a?.includes(finalizer))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

import { isRecord, type KubeObject } from '../../../core/index.ts'
import { type Backend, ruleEnv, timestamp } from '../../backend.ts'
import type { ResourceType } from '../../resource-type.ts'
import { conflict, forbidden } from '../../status-error.ts'
import type { DeleteOptions } from './delete-options.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { stored } from './update.ts'

/** Namespaces that the system itself lives in. */
const lastingNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/** DELETE of one object: gone at once, or marked until its finalizers are done. Says which. */
export function remove(
  backend: Backend,
  info: ResourceRequest,
  options: DeleteOptions,
): { object: KubeObject; gone: boolean } {
  return removeObject(backend, info.type, stored(backend, info), options)
}

/** Deletes a stored object, for requests and for controllers alike. */
export function removeObject(
  backend: Backend,
  type: ResourceType,
  live: KubeObject,
  options: DeleteOptions,
): { object: KubeObject; gone: boolean } {
  checkPreconditions(type, live, options)
  if (isNamespace(type) && lastingNamespaces.has(live.metadata.name)) {
    throw forbidden(type, live.metadata.name, 'this namespace may not be deleted')
  }
  const object = type.rules.prepareDelete?.(live, ruleEnv(backend)) ?? live
  const { metadata } = object
  const finalizers = wantedFinalizers(type, object, options)
  const grace = graceOf(type, object, options)
  const waits = finalizers.length > 0 || (grace > 0 && holdsGrace(type, object)) || isFilledNamespace(type, object)
  if (!waits) {
    if (options.dryRun) return { object, gone: true }
    const last = backend.store.remove(type.collection, metadata.namespace ?? '', metadata.name)
    return { object: last ?? object, gone: true }
  }
  if (isMarked(type, object, finalizers, grace)) return { object, gone: false }
  const marked = markDeleted(backend, type, object, finalizers, grace, object === live)
  return { object: options.dryRun ? marked : backend.store.put(type.collection, marked), gone: false }
}

/** Whether a deletion says nothing new: the same finalizers, and no shorter time to end in. */
function isMarked(type: ResourceType, object: KubeObject, finalizers: readonly string[], grace: number): boolean {
  const { metadata } = object
  if (metadata.deletionTimestamp === undefined || !sameFinalizers(metadata.finalizers, finalizers)) return false
  return !holdsGrace(type, object) || grace >= Number(metadata['deletionGracePeriodSeconds'] ?? 0)
}

/** The object as it is kept until its finalizers are done. A kind that prepares its deletion is marked without the generic rest. */
function markDeleted(
  backend: Backend,
  type: ResourceType,
  object: KubeObject,
  finalizers: string[],
  grace: number,
  generic: boolean,
): KubeObject {
  const { metadata } = object
  const holds = holdsGrace(type, object)
  const now = timestamp(backend.clock)
  return {
    ...object,
    ...(isFilledNamespace(type, object) ? { status: { ...statusOf(object), phase: 'Terminating' } } : {}),
    metadata: {
      ...metadata,
      // A grace period ends at the time that the mark names; other objects are marked with the time of the request.
      deletionTimestamp: holds ? timestampIn(backend, grace) : (metadata.deletionTimestamp ?? now),
      ...(generic ? { deletionGracePeriodSeconds: holds ? grace : 0 } : {}),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ...(generic && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {}),
    },
  }
}

/** Refuses to delete another object than the one that was meant. */
export function checkPreconditions(type: ResourceType, object: KubeObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = object.metadata
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`
    throw mistaken(type, name, why)
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`
    throw mistaken(type, name, why)
  }
}

// Here the API server has only the kind at hand.
function mistaken(type: ResourceType, name: string, why: string): Error {
  return conflict({ ...type, resource: type.kind }, name, why)
}

/** The garbage collector's finalizers follow the policy; all others stay. */
function wantedFinalizers(type: ResourceType, object: KubeObject, options: DeleteOptions): string[] {
  const given = object.metadata.finalizers ?? []
  const others = given.filter((finalizer) => finalizer !== 'foregroundDeletion' && finalizer !== 'orphan')
  switch (options.propagationPolicy ?? defaultPolicy(type, object)) {
    case 'Foreground':
      return [...others, 'foregroundDeletion']
    case 'Orphan':
      return [...others, 'orphan']
    case 'Background':
      return others
    case undefined:
      return given
  }
}

// Jobs and ReplicationControllers are older than the garbage collector and left their pods behind; that is still the default.
function defaultPolicy({ group, kind }: ResourceType, object: KubeObject): 'Orphan' | undefined {
  const asked = object.metadata.finalizers?.some((name) => name === 'foregroundDeletion' || name === 'orphan') === true
  const orphans = (group === 'batch' && kind === 'Job') || (group === '' && kind === 'ReplicationController')
  return orphans && !asked ? 'Orphan' : undefined
}

function graceOf(type: ResourceType, object: KubeObject, options: DeleteOptions): number {
  if (type.kind !== 'Pod' || type.group !== '') return 0
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  return options.gracePeriodSeconds ?? Number(spec['terminationGracePeriodSeconds'] ?? 30)
}

function timestampIn(backend: Backend, seconds: number): string {
  return `${new Date(backend.clock.now() + seconds * 1000).toISOString().slice(0, 19)}Z`
}

function isNamespace(type: ResourceType): boolean {
  return type.kind === 'Namespace' && type.group === ''
}

function statusOf(object: KubeObject): Record<string, unknown> {
  return isRecord(object['status']) ? object['status'] : {}
}

// A namespace is emptied before it goes; the finalizer for that stands in its spec.
function isFilledNamespace(type: ResourceType, object: KubeObject): boolean {
  if (!isNamespace(type)) return false
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  return Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0
}

// A pod that no node runs has nothing to wait for.
function holdsGrace(type: ResourceType, object: KubeObject): boolean {
  if (type.kind !== 'Pod' || type.group !== '') return false
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  const { phase } = statusOf(object)
  return text(spec['nodeName']) !== undefined && phase !== 'Succeeded' && phase !== 'Failed'
}

function sameFinalizers(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return (a ?? []).length === b.length && b.every((finalizer) => a?.includes(finalizer))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

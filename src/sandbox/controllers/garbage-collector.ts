import { type KubeObject, type OwnerReference, parseApiVersion } from '../../core/index.ts'
import type { Controller, ControllerEnv, Key } from './controller.ts'
import { recordEvent } from './events.ts'
import type { ObjectIndex } from './object-index.ts'
import { deleteAs, setMetadata } from './writes.ts'

const manager = 'kube-controller-manager'

/** Deletes what lost its last owner, and carries out foreground and orphaning deletions. */
export const garbageCollector: Controller = {
  name: 'garbage-collector',
  watches: {
    '*': (object, previous, index, collection, gone) => {
      const keys: Key[] = []
      if (gone) {
        for (const dependent of index.dependents(object.metadata.uid)) {
          keys.push(keyOf(dependent.collection, dependent.object))
        }
        // An owner that waits for this one in the foreground may go now.
        keys.push(...waitingOwners(object, index))
      } else if (object.metadata.deletionTimestamp !== undefined || hasNewOwners(object, previous)) {
        keys.push(keyOf(collection, object))
        keys.push(...waitingOwners(object, index))
      }
      return keys
    },
  },
  reconcile: (key, env) => {
    const object = env.index.get(key.collection ?? '', key.namespace, key.name)
    if (object === undefined) return
    const { deletionTimestamp, finalizers = [] } = object.metadata
    if (deletionTimestamp === undefined) collect(object, env)
    else if (finalizers.includes('orphan')) orphan(object, env)
    else if (finalizers.includes('foregroundDeletion')) deleteDependents(object, env)
  },
}

/** Deletes an object whose owners are all gone or going; drops the references to those that are gone when one remains. */
function collect(object: KubeObject, env: ControllerEnv): void {
  const owners = object.metadata.ownerReferences ?? []
  if (owners.length === 0) return
  const states = owners.map((owner) => ({ owner, state: stateOf(owner, object, env) }))
  const solid = states.filter(({ state }) => state === 'there').map(({ owner }) => owner)
  if (solid.length === owners.length) return
  if (solid.length > 0) {
    setMetadata(env.backend, manager, object, { ownerReferences: solid })
    return
  }
  // What an owner waits for is deleted the same way, so that nothing below it outlives it.
  const waited = states.some(({ state }) => state === 'waits')
  const foreground = waited && env.index.dependents(object.metadata.uid).length > 0
  deleteAs(env.backend, object, { propagationPolicy: foreground ? 'Foreground' : policyOf(object) })
}

function orphan(object: KubeObject, env: ControllerEnv): void {
  for (const dependent of env.index.dependents(object.metadata.uid)) {
    const { ownerReferences = [] } = dependent.object.metadata
    const others = ownerReferences.filter((owner) => owner.uid !== object.metadata.uid)
    setMetadata(env.backend, manager, dependent.object, { ownerReferences: others })
  }
  dropFinalizer(object, 'orphan', env)
}

function deleteDependents(object: KubeObject, env: ControllerEnv): void {
  for (const dependent of env.index.dependents(object.metadata.uid)) {
    if (dependent.object.metadata.deletionTimestamp === undefined) collect(dependent.object, env)
  }
  const blocking = env.index
    .dependents(object.metadata.uid)
    .some((dependent) =>
      dependent.object.metadata.ownerReferences?.some(
        (owner) => owner.uid === object.metadata.uid && owner.blockOwnerDeletion === true,
      ),
    )
  if (!blocking) dropFinalizer(object, 'foregroundDeletion', env)
}

function dropFinalizer(object: KubeObject, finalizer: string, env: ControllerEnv): void {
  const finalizers = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer)
  setMetadata(env.backend, manager, object, { finalizers })
}

/** `waits` is an owner that is deleted in the foreground and waits for its dependents. */
function stateOf(owner: OwnerReference, object: KubeObject, env: ControllerEnv): 'there' | 'waits' | 'gone' {
  const type = env.backend.catalog.ofGroupKind(parseApiVersion(owner.apiVersion).group, owner.kind)
  // Of a kind that is not served nothing can be known, so nothing is deleted for it.
  if (type === undefined) return 'there'
  const { namespace } = object.metadata
  if (type.namespaced && namespace === undefined) {
    const message = `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: , name: ${owner.name}, uid: ${owner.uid}] does not exist in namespace ""`
    const reason = 'OwnerRefInvalidNamespace'
    recordEvent(env.backend, 'garbage-collector-controller', object, { type: 'Warning', reason, message })
    return 'there'
  }
  const found = env.index.get(type.collection, type.namespaced ? (namespace ?? '') : '', owner.name)
  if (found === undefined || found.metadata.uid !== owner.uid) return 'gone'
  const { deletionTimestamp, finalizers = [] } = found.metadata
  return deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion') ? 'waits' : 'there'
}

function policyOf({ metadata: { finalizers = [] } }: KubeObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes('orphan')) return 'Orphan'
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background'
}

function waitingOwners(object: KubeObject, index: ObjectIndex): Key[] {
  return (object.metadata.ownerReferences ?? []).flatMap((owner) => {
    const key = index.waitingForDependents(owner.uid)
    return key === undefined ? [] : [key]
  })
}

function hasNewOwners(object: KubeObject, previous: KubeObject | undefined): boolean {
  const owners = object.metadata.ownerReferences
  return owners !== undefined && owners.length > 0 && owners !== previous?.metadata.ownerReferences
}

function keyOf(collection: string, { metadata: { namespace = '', name } }: KubeObject): Key {
  return { collection, namespace, name }
}

import type { KubeObject } from '../../core/index.ts'
import type { Store, StoreEvent } from '../store.ts'

/** An object that names another one as its owner. */
export interface Dependent {
  readonly collection: string
  readonly object: KubeObject
}

/** Finds objects by namespace and by owner without going through everything, however large the store is. */
export class ObjectIndex {
  readonly #store: Store
  readonly #namespaces = new Map<string, Map<string, KubeObject>>()
  readonly #dependents = new Map<string, Map<string, Dependent>>()
  readonly #foreground = new Map<string, { collection: string; namespace: string; name: string }>()
  readonly #orphans = new Map<string, Map<string, KubeObject>>()

  constructor(store: Store) {
    this.#store = store
    for (const collection of store.collections()) {
      for (const object of store.list(collection)) this.#add(collection, object)
    }
  }

  /** Keeps the index up with one change of the store. */
  follow(collection: string, { type, object, previous }: StoreEvent): void {
    if (previous !== undefined) this.#remove(collection, previous)
    if (type !== 'DELETED') this.#add(collection, object)
  }

  get(collection: string, namespace: string, name: string): KubeObject | undefined {
    return this.#store.get(collection, namespace, name)
  }

  /** The objects of a collection in a namespace, in no order. */
  inNamespace(collection: string, namespace: string): KubeObject[] {
    return [...(this.#namespaces.get(`${collection}|${namespace}`)?.values() ?? [])]
  }

  /** The objects that name this uid among their owners. */
  dependents(uid: string | undefined): Dependent[] {
    return [...(this.#dependents.get(uid ?? '')?.values() ?? [])]
  }

  /** The objects of a collection that are controlled by the owner. */
  controlled(owner: KubeObject, collection: string): KubeObject[] {
    return this.dependents(owner.metadata.uid).flatMap((dependent) => {
      const own = dependent.collection === collection && controllerOf(dependent.object)?.uid === owner.metadata.uid
      return own ? [dependent.object] : []
    })
  }

  /** The objects of a collection in a namespace that nothing controls. */
  orphans(collection: string, namespace: string): KubeObject[] {
    return [...(this.#orphans.get(`${collection}|${namespace}`)?.values() ?? [])]
  }

  /** Where the object with this uid is, when it waits for its dependents to be deleted. */
  waitingForDependents(uid: string): { collection: string; namespace: string; name: string } | undefined {
    return this.#foreground.get(uid)
  }

  #add(collection: string, object: KubeObject): void {
    const { namespace = '', name, uid = '', deletionTimestamp, finalizers } = object.metadata
    if (deletionTimestamp !== undefined && finalizers?.includes('foregroundDeletion') === true) {
      this.#foreground.set(uid, { collection, namespace, name })
    }
    entry(this.#namespaces, `${collection}|${namespace}`).set(name, object)
    for (const owner of object.metadata.ownerReferences ?? []) {
      entry(this.#dependents, owner.uid).set(`${collection}|${namespace}/${name}`, { collection, object })
    }
    if (controllerOf(object) === undefined) entry(this.#orphans, `${collection}|${namespace}`).set(name, object)
  }

  #remove(collection: string, object: KubeObject): void {
    const { namespace = '', name } = object.metadata
    this.#foreground.delete(object.metadata.uid ?? '')
    drop(this.#namespaces, `${collection}|${namespace}`, name)
    drop(this.#orphans, `${collection}|${namespace}`, name)
    for (const owner of object.metadata.ownerReferences ?? []) {
      drop(this.#dependents, owner.uid, `${collection}|${namespace}/${name}`)
    }
  }
}

/** The one owner that controls an object. */
export function controllerOf(object: KubeObject): { kind: string; name: string; uid: string } | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true)
}

function entry<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = new Map()))
  return found
}

function drop<Value>(map: Map<string, Map<string, Value>>, key: string, name: string): void {
  const found = map.get(key)
  found?.delete(name)
  if (found?.size === 0) map.delete(key)
}

import type { KubeObject } from '../core/index.ts'

/** One change of the store. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** The object after the change; the last state, with the version of the deletion, when it was deleted. */
  readonly object: KubeObject
  /** The object before the change. */
  readonly previous: KubeObject | undefined
  readonly version: number
}

/** Something that hears of every change of the store, before the writer is answered. */
export type StoreListener = (collection: string, event: StoreEvent) => void

/**
 * Versioned objects in collections. Objects are never changed in place: a write puts a new one, so readers need no copies.
 * Every write gets the next version of one counter, which is what `resourceVersion` promises.
 */
export class Store {
  readonly #collections = new Map<string, Collection>()
  readonly #listeners = new Set<StoreListener>()
  readonly #historyLimit: number
  #version = 1
  /** Up to where everything was forgotten. */
  #forgotten = 0

  /** `historyLimit` is how many changes a collection remembers for watches that resume. */
  constructor(historyLimit = 5000) {
    this.#historyLimit = historyLimit
  }

  /** The version of the last write. */
  get version(): number {
    return this.#version
  }

  /** Versions before this one can no longer be resumed from. */
  get forgottenVersion(): number {
    return this.#forgotten
  }

  get(collection: string, namespace: string, name: string): KubeObject | undefined {
    return this.#collections.get(collection)?.objects.get(keyOf(namespace, name))
  }

  /** The objects of a collection, sorted by namespace and name; of one namespace when it is given. */
  list(collection: string, namespace?: string): KubeObject[] {
    const found = this.#collection(collection)
    found.sorted ??= [...found.objects.keys()].sort()
    const objects: KubeObject[] = []
    const prefix = namespace === undefined ? '' : keyOf(namespace, '')
    for (const key of found.sorted) {
      if (!key.startsWith(prefix)) continue
      const object = found.objects.get(key)
      if (object !== undefined) objects.push(object)
    }
    return objects
  }

  /** The objects of a collection as they were at a version; undefined when that is forgotten. */
  listAt(collection: string, namespace: string | undefined, version: number): KubeObject[] | undefined {
    const later = this.since(collection, version)
    if (later === undefined) return undefined
    const now = this.list(collection, namespace)
    if (later.length === 0) return now
    const then = new Map(now.map((object) => [keyOf(object.metadata.namespace ?? '', object.metadata.name), object]))
    for (const { object, previous } of later.toReversed()) {
      const { namespace: home = '', name } = object.metadata
      if (namespace !== undefined && namespace !== home) continue
      if (previous === undefined) then.delete(keyOf(home, name))
      else then.set(keyOf(home, name), previous)
    }
    const keys = [...then.keys()].sort()
    return keys.flatMap((key) => then.get(key) ?? [])
  }

  /** The names of the collections that hold or held something. */
  collections(): string[] {
    return [...this.#collections.keys()]
  }

  /** Puts an object, new or changed, and gives it back with its version. */
  put(collection: string, object: KubeObject): KubeObject {
    const target = this.#collection(collection)
    const key = keyOf(object.metadata.namespace ?? '', object.metadata.name)
    const previous = target.objects.get(key)
    const stored = this.#versioned(object)
    target.objects.set(key, stored)
    if (previous === undefined) target.sorted = undefined
    const type = previous === undefined ? 'ADDED' : 'MODIFIED'
    this.#publish(collection, target, { type, object: stored, previous, version: this.#version })
    return stored
  }

  /** Removes an object and gives its last state. */
  remove(collection: string, namespace: string, name: string): KubeObject | undefined {
    const target = this.#collection(collection)
    const key = keyOf(namespace, name)
    const previous = target.objects.get(key)
    if (previous === undefined) return undefined
    target.objects.delete(key)
    target.sorted = undefined
    const object = this.#versioned(previous)
    this.#publish(collection, target, { type: 'DELETED', object, previous, version: this.#version })
    return object
  }

  /** The changes of a collection after a version; undefined when some of them are forgotten. */
  since(collection: string, version: number): readonly StoreEvent[] | undefined {
    const target = this.#collection(collection)
    if (version < target.forgotten) return undefined
    return target.history.filter((event) => event.version > version)
  }

  /** Forgets the history, so that watches from older versions get 410 Gone. */
  compact(): void {
    this.#forgotten = this.#version
    for (const collection of this.#collections.values()) {
      collection.history = []
      collection.forgotten = this.#version
    }
  }

  /** Hears of every change from now on; gives the way to stop. */
  listen(listener: StoreListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Puts back what was kept elsewhere, with the versions that it had. */
  restore(version: number, objects: Iterable<readonly [collection: string, object: KubeObject]>): void {
    for (const [name, object] of objects) {
      const target = this.#collection(name)
      target.objects.set(keyOf(object.metadata.namespace ?? '', object.metadata.name), object)
      target.sorted = undefined
    }
    this.#version = Math.max(this.#version, version)
    this.compact()
  }

  #collection(name: string): Collection {
    let collection = this.#collections.get(name)
    if (collection === undefined) {
      // As with a watch cache, nobody remembers the time before the kind was looked at.
      collection = { objects: new Map(), sorted: undefined, history: [], forgotten: this.#version }
      this.#collections.set(name, collection)
    }
    return collection
  }

  #versioned(object: KubeObject): KubeObject {
    this.#version += 1
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } }
  }

  #publish(name: string, collection: Collection, event: StoreEvent): void {
    collection.history.push(event)
    if (collection.history.length > this.#historyLimit * 2) {
      const dropped = collection.history.splice(0, this.#historyLimit)
      collection.forgotten = dropped.at(-1)?.version ?? collection.forgotten
    }
    for (const listener of this.#listeners) listener(name, event)
  }
}

interface Collection {
  readonly objects: Map<string, KubeObject>
  /** Keys in order, made when a list is asked for. */
  sorted: string[] | undefined
  history: StoreEvent[]
  /** Changes up to this version are no longer in the history. */
  forgotten: number
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

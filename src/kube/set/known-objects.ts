import { formatApiVersion, type GroupVersionKind, type KubeObject } from '../../core/index.ts'
import type { MetadataOf, ObjectShape } from '../object-types.ts'

/**
 * A change of one object. The object of a deletion that happened unseen has only its identity: kind, name, namespace,
 * uid and the last resourceVersion that was seen.
 */
export type ObjectChange<Object extends ObjectShape = KubeObject> =
  | { readonly type: 'added' | 'modified'; readonly object: Object }
  | { readonly type: 'deleted'; readonly object: Object | MetadataOf<Object> }

interface Seen {
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

/** What a watch has told so far, as little of it as finding the difference to a new list needs. */
export class KnownObjects {
  readonly #gvk: GroupVersionKind
  /** By namespace, then name: the namespace's text is held once. */
  #seen = new Map<string, Map<string, Seen>>()

  constructor(gvk: GroupVersionKind) {
    this.#gvk = gvk
  }

  /** Takes objects as told already. */
  seed(items: readonly KubeObject[]): void {
    for (const item of items) this.#set(item)
  }

  /** Takes in an object and tells what changed; undefined when it was told before. */
  put(object: KubeObject): ObjectChange | undefined {
    const before = this.#get(object)
    this.#set(object)
    if (before === undefined || before.uid !== object.metadata.uid) return { type: 'added', object }
    return before.resourceVersion === object.metadata.resourceVersion ? undefined : { type: 'modified', object }
  }

  /** Forgets an object and tells it; undefined when it was not known, or when the name is another object's by now. */
  remove(object: KubeObject): ObjectChange | undefined {
    const before = this.#get(object)
    if (before === undefined || before.uid !== object.metadata.uid) return undefined
    this.#seen.get(object.metadata.namespace ?? '')?.delete(object.metadata.name)
    return { type: 'deleted', object }
  }

  /** Tells the difference between what was known and what there is now. */
  *replaceWith(items: readonly KubeObject[]): Generator<ObjectChange> {
    const before = this.#seen
    this.#seen = new Map()
    this.seed(items)
    for (const [namespace, names] of before) {
      for (const [name, seen] of names) {
        if (this.#seen.get(namespace)?.get(name)?.uid !== seen.uid) yield this.#unseenDeletion(namespace, name, seen)
      }
    }
    for (const object of items) {
      const seen = before.get(object.metadata.namespace ?? '')?.get(object.metadata.name)
      if (seen === undefined || seen.uid !== object.metadata.uid) yield { type: 'added', object }
      else if (seen.resourceVersion !== object.metadata.resourceVersion) yield { type: 'modified', object }
    }
  }

  #get({ metadata }: KubeObject): Seen | undefined {
    return this.#seen.get(metadata.namespace ?? '')?.get(metadata.name)
  }

  #set({ metadata }: KubeObject): void {
    const namespace = metadata.namespace ?? ''
    let names = this.#seen.get(namespace)
    if (names === undefined) this.#seen.set(namespace, (names = new Map()))
    names.set(metadata.name, { uid: metadata.uid, resourceVersion: metadata.resourceVersion })
  }

  #unseenDeletion(namespace: string, name: string, seen: Seen): ObjectChange {
    const metadata = { name, ...(namespace !== '' && { namespace }), ...seen }
    return {
      type: 'deleted',
      object: { apiVersion: formatApiVersion(this.#gvk), kind: this.#gvk.kind, metadata },
    }
  }
}

import { type Context, type KubeObject, type LadingError, type ObjectRef, toLadingError } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import type { GroupArgument, ObjectShape, QueriedObject } from '../object-types.ts'
import { type FollowQuery, watchObjects } from './watch.ts'
import { cancelled } from '../transport/wire-error.ts'

/** Which objects an informer keeps. */
export interface InformerQuery<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  MetadataOnly extends boolean = boolean,
> extends FollowQuery<Group, Version, Kind, MetadataOnly> {
  /** Keeps `metadata.managedFields`, which are often half of an object and rarely read. */
  readonly keepManagedFields?: boolean
}

/** A change of the cache. */
export interface InformerEvent<Object extends ObjectShape = KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted'
  /** The object as it is, or as it last was. */
  readonly object: Object
  readonly previous?: Object
}

/** A copy of the watched objects that follows the cluster. Its objects are shared: read them, never change them. */
export interface Informer<Object extends ObjectShape = KubeObject> extends Disposable {
  get(ref: Pick<ObjectRef, 'namespace' | 'name'>): Object | undefined
  /** By namespace, then name. */
  list(namespace?: string): readonly Object[]
  /** Fulfilled once everything that exists is in the cache; rejected when that cannot be. */
  readonly synced: Promise<void>
  /** Fulfilled when the informer follows no more: with the reason, or nothing after `close`. */
  readonly ended: Promise<LadingError | undefined>
  /** Calls the listener with every change from now on; gives the function that ends this. */
  subscribe(listener: (event: InformerEvent<Object>) => void): () => void
  close(): void
}

/** Starts an informer; it follows the cluster until it is closed, the signal aborts, or it may not watch any more. */
export function startInformer<
  const Group extends string | ObjectShape = string,
  const Version extends string = string,
  const Kind extends string = string,
  const MetadataOnly extends boolean = false,
>(
  cluster: Cluster,
  query: InformerQuery<GroupArgument<Group>, Version, Kind, MetadataOnly>,
  ctx: Context,
): Informer<QueriedObject<Group, Version, Kind, MetadataOnly>> {
  return start(cluster, query, ctx) as Informer<QueriedObject<Group, Version, Kind, MetadataOnly>>
}

function start(cluster: Cluster, query: InformerQuery, ctx: Context): Informer {
  const { keepManagedFields = false, ...watch } = query
  const stop = new AbortController()
  const cache = new ObjectCache()
  const listeners = new Set<(event: InformerEvent) => void>()
  const synced = Promise.withResolvers<void>()
  // Whoever does not wait for it learns of the failure from `ended`.
  synced.promise.catch(() => undefined)

  const close = (): void => stop.abort(cancelled(undefined))

  const follow = async (): Promise<LadingError | undefined> => {
    try {
      const signal = AbortSignal.any([ctx.signal, stop.signal])
      for await (const event of watchObjects(cluster, watch, { ...ctx, signal })) {
        if (event.type === 'synced') synced.resolve()
        else if (event.type !== 'bookmark' && event.type !== 'relisted') {
          if (!keepManagedFields) delete event.object.metadata.managedFields
          tell(cache.take(event.type, event.object))
        }
      }
      return undefined
    } catch (error) {
      const failure = toLadingError(error)
      synced.reject(failure)
      return stop.signal.aborted ? undefined : failure
    }
  }
  const tell = (event: InformerEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        // One listener's defect must not blind the others.
        ctx.log.error('informer listener failed', { error: String(error) })
      }
    }
  }

  return {
    get: (ref) => cache.get(ref),
    list: (namespace) => cache.list(namespace),
    synced: synced.promise,
    ended: follow(),
    subscribe(listener) {
      // A function of its own, so that the same listener can subscribe twice.
      const entry = (event: InformerEvent): void => listener(event)
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    close,
    [Symbol.dispose]: close,
  }
}

class ObjectCache {
  readonly #objects = new Map<string, Map<string, KubeObject>>()
  /** Sorted lists by namespace, undefined for all; thrown away by the next change. */
  readonly #sorted = new Map<string | undefined, readonly KubeObject[]>()

  get({ namespace = '', name }: Pick<ObjectRef, 'namespace' | 'name'>): KubeObject | undefined {
    return this.#objects.get(namespace)?.get(name)
  }

  list(namespace?: string): readonly KubeObject[] {
    const sorted = this.#sorted.get(namespace) ?? this.#sort(namespace)
    this.#sorted.set(namespace, sorted)
    return sorted
  }

  take(type: InformerEvent['type'], object: KubeObject): InformerEvent {
    const { namespace = '', name } = object.metadata
    const previous = this.#objects.get(namespace)?.get(name)
    this.#sorted.delete(namespace)
    this.#sorted.delete(undefined)
    if (type === 'deleted') {
      const names = this.#objects.get(namespace)
      names?.delete(name)
      if (names?.size === 0) this.#objects.delete(namespace)
      // An unseen deletion knows the identity only; the cache knows what it was.
      const last = object.metadata.creationTimestamp === undefined ? (previous ?? object) : object
      return { type, object: last, previous }
    }
    let names = this.#objects.get(namespace)
    if (names === undefined) this.#objects.set(namespace, (names = new Map()))
    names.set(name, object)
    return { type, object, previous }
  }

  #sort(namespace: string | undefined): KubeObject[] {
    if (namespace !== undefined) return sortedValues(this.#objects.get(namespace))
    const namespaces = [...this.#objects.keys()].sort()
    return namespaces.flatMap((each) => sortedValues(this.#objects.get(each)))
  }
}

function sortedValues(names: ReadonlyMap<string, KubeObject> | undefined): KubeObject[] {
  return [...(names ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
}

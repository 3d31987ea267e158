import { type Context, type KubeObject, LadingError, objectId, refOf } from '../core/index.ts'
import { type Cluster, type Informer, startInformer } from '../kube/index.ts'
import { type FluxKind, fluxKinds, packageKinds, sourceGvk } from './flux-kinds.ts'
import { revisionGvk, revisionSelector } from './spec-revisions.ts'

/** The Flux objects of a cluster, kept up to date by watches, so that no read lists anything. */
export interface FluxCache {
  /** Deployments of a namespace, sorted by nothing in particular. */
  deployments(namespace: string, ctx: Context): Promise<readonly KubeObject[]>
  deployment(kind: FluxKind, namespace: string, name: string, ctx: Context): Promise<KubeObject | undefined>
  sources(namespace: string, ctx: Context): Promise<readonly KubeObject[]>
  /** The number of the newest stored revision of each deployment of a namespace, by the deployment's uid. */
  revisions(namespace: string, ctx: Context): Promise<ReadonlyMap<string, number>>
  /** Takes over what a write gave, so that whoever wrote reads it at once. */
  wrote(object: KubeObject): void
  close(): void
}

/** Starts the watches of one namespace for deployments and one for sources when they are first needed; a failed start is tried again. */
export function fluxCache(cluster: Cluster, ctx: Context): FluxCache {
  const stop = new AbortController()
  const own = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const informers = new Map<string, Informer>()
  const written = new Map<string, KubeObject>()

  const informerOf = async (gvk: KubeObjectKind, namespace: string, caller: Context): Promise<Informer> => {
    const key = `${gvk.kind}/${namespace}`
    let informer = informers.get(key)
    if (informer === undefined) {
      const isRevision = gvk === revisionGvk
      const labelSelector = isRevision ? revisionSelector : undefined
      informer = startInformer(cluster, { gvk, namespace, labelSelector, metadataOnly: isRevision }, own)
      informers.set(key, informer)
      const started = informer
      // An informer that ended is started anew by the next read instead of failing for ever.
      void informer.ended.then(() => informers.get(key) === started && informers.delete(key))
      informer.subscribe(({ object }) => forget(object))
    }
    await whileCalled(informer.synced, caller)
    return informer
  }
  const numbersOf = async (namespace: string, caller: Context): Promise<ReadonlyMap<string, number>> => {
    const informer = await informerOf(revisionGvk, namespace, caller)
    const numbers = new Map<string, number>()
    for (const { metadata } of informer.list(namespace)) {
      const number = Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1))
      for (const { uid } of metadata.ownerReferences ?? []) numbers.set(uid, Math.max(number, numbers.get(uid) ?? 0))
    }
    return numbers
  }
  const forget = (object: KubeObject): void => {
    const id = objectId(refOf(object))
    const known = written.get(id)
    if (known !== undefined && !isNewer(known, object)) written.delete(id)
  }
  const newest = (object: KubeObject): KubeObject => {
    const known = written.get(objectId(refOf(object)))
    return known !== undefined && isNewer(known, object) ? known : object
  }
  const listed = (informer: Informer, namespace: string, kind: string): KubeObject[] => {
    const seen = informer.list(namespace).map(newest)
    const ids = new Set(seen.map((object) => objectId(refOf(object))))
    const unseen = [...written].filter(
      ([id, object]) => !ids.has(id) && object.kind === kind && object.metadata.namespace === namespace,
    )
    return [...seen, ...unseen.map(([, object]) => object)]
  }

  return {
    async deployments(namespace, caller) {
      const kinds = Object.values(fluxKinds)
      const all = await Promise.all(kinds.map((gvk) => informerOf(gvk, namespace, caller)))
      return all.flatMap((informer, index) => listed(informer, namespace, kinds[index]!.kind))
    },
    async deployment(kind, namespace, name, caller) {
      const informer = await informerOf(fluxKinds[kind], namespace, caller)
      const found = informer.get({ namespace, name })
      if (found !== undefined) return newest(found)
      return written.get(objectId({ ...fluxKinds[kind], namespace, name }))
    },
    async sources(namespace, caller) {
      const kinds = packageKinds.map(sourceGvk)
      const all = await Promise.all(kinds.map((gvk) => informerOf(gvk, namespace, caller)))
      return all.flatMap((informer, index) => listed(informer, namespace, kinds[index]!.kind))
    },
    revisions: numbersOf,
    wrote: (object) => void written.set(objectId(refOf(object)), object),
    close: () => stop.abort(new LadingError('cancelled', 'the adapter was closed')),
  }
}

type KubeObjectKind = { readonly group: string; readonly version: string; readonly kind: string }

/** Waits for shared work, but no longer than this caller wants to. */
async function whileCalled(work: Promise<void>, { signal }: Context): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Resource versions of one cluster grow, as Kubernetes promises since 1.35. */
function isNewer(one: KubeObject, other: KubeObject): boolean {
  const [a = '', b = ''] = [one.metadata.resourceVersion, other.metadata.resourceVersion]
  return a.length === b.length ? a > b : a.length > b.length
}

import { type Context, type GroupVersionKind, type KubeObject, LadingError, objectId, refOf } from '../core/index.ts'
import { DeploymentIndex, type IndexEntry, ObservedObjects, whileCalled } from '../deployment/index.ts'
import { type Cluster, type Informer, startInformer } from '../kube/index.ts'
import { idOf } from './deployment-id.ts'
import { describeDeployment } from './describe-deployment.ts'
import type { FluxSettings } from './flux-config.ts'
import { fluxKinds, packageKinds, scopeOf, sourceGvk } from './flux-kinds.ts'
import { RevisionNumbers } from './revision-numbers.ts'
import { revisionGvk, revisionSelector } from './spec-revisions.ts'

/** A Flux object in the index of deployments. */
export interface FluxEntry extends IndexEntry {
  readonly object: KubeObject
}

/** The Flux objects of a cluster, kept up to date by watches, so that no read lists anything. */
export interface FluxCache {
  /** The deployments, once all of them are known. */
  deployments(ctx: Context): Promise<DeploymentIndex<FluxEntry>>
  sources(ctx: Context): Promise<readonly KubeObject[]>
  /** Takes over what a write gave, so that whoever wrote reads it at once. */
  wrote(object: KubeObject): void
  /** Takes over the number of a revision that was stored. */
  numbered(object: KubeObject, revision: number): void
  close(): void
}

/** Starts the watches of one namespace for deployments and one for sources when they are first needed; a failed start is tried again. */
export function fluxCache(cluster: Cluster, settings: FluxSettings, ctx: Context): FluxCache {
  const stop = new AbortController()
  const own = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const informers = new Map<GroupVersionKind, Informer>()
  const index = new DeploymentIndex<FluxEntry>()
  const ids = new Map<string, string>()
  const numbers = new RevisionNumbers((uid) => {
    const entry = index.get(ids.get(uid) ?? '')
    if (entry !== undefined) index.set(entryOf(entry.object, numbers))
  })
  const objects = new ObservedObjects<KubeObject>((_, object, before) => {
    if (before !== undefined) ids.delete(before.metadata.uid ?? '')
    if (object !== undefined && isDeployment(object)) {
      ids.set(object.metadata.uid ?? '', idOf(object))
      index.set(entryOf(object, numbers))
    } else if (before !== undefined && isDeployment(before)) index.delete(idOf(before))
  }, ctx.clock)

  const start = (gvk: GroupVersionKind): Informer => {
    const isRevision = gvk === revisionGvk
    const namespace = sourceKinds.includes(gvk) ? settings.sourceNamespace : settings.namespace
    const labelSelector = isRevision ? revisionSelector : undefined
    const informer = startInformer(cluster, { gvk, namespace, labelSelector, metadataOnly: isRevision }, own)
    informer.subscribe(({ type, object }) => {
      if (isRevision) numbers.take(type, object)
      else {
        const version = { uid: object.metadata.uid, resourceVersion: object.metadata.resourceVersion ?? '' }
        if (type === 'deleted') objects.gone(objectId(refOf(object)), version)
        else objects.seen(objectId(refOf(object)), object, version)
      }
    })
    // An informer that ended is started anew by the next read instead of failing for ever.
    void informer.ended.then(() => {
      if (informers.get(gvk) !== informer) return
      informers.delete(gvk)
      if (isRevision) numbers.clear()
      else objects.forget(({ kind }) => kind === gvk.kind)
    })
    return informer
  }
  const synced = async (kinds: readonly GroupVersionKind[], caller: Context): Promise<void> => {
    const waits = kinds.map((gvk) => {
      const informer = informers.get(gvk) ?? start(gvk)
      informers.set(gvk, informer)
      return whileCalled(informer.synced, caller)
    })
    await Promise.all(waits)
  }

  return {
    async deployments(caller) {
      await synced(deploymentKinds, caller)
      return index
    },
    async sources(caller) {
      await synced(sourceKinds, caller)
      return [...objects.values()].filter((object) => !isDeployment(object))
    },
    wrote(object) {
      const { uid, resourceVersion = '' } = object.metadata
      objects.wrote(objectId(refOf(object)), object, { uid, resourceVersion })
    },
    numbered: (object, revision) => numbers.add(object.metadata.uid ?? '', revision),
    close: () => stop.abort(new LadingError('cancelled', 'the adapter was closed')),
  }
}

const deploymentKinds: readonly GroupVersionKind[] = [...Object.values(fluxKinds), revisionGvk]
const sourceKinds: readonly GroupVersionKind[] = packageKinds.map(sourceGvk)

function isDeployment({ kind }: KubeObject): boolean {
  return Object.hasOwn(fluxKinds, kind)
}

function entryOf(object: KubeObject, numbers: RevisionNumbers): FluxEntry {
  const version = numbers.newest(object.metadata.uid ?? '') ?? 1
  let described: ReturnType<typeof describeDeployment> | undefined
  return {
    id: idOf(object),
    name: object.metadata.name,
    scope: scopeOf(object),
    objectName: object.metadata.name,
    object,
    describe: () => (described ??= describeDeployment(object, version)),
  }
}

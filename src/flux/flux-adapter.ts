import { type Context, isRecord, type KubeObject, LadingError, refOf } from '../core/index.ts'
import {
  checkReplicas,
  type DeploymentAdapter,
  type DeploymentHistory,
  type DeploymentStatusDetail,
  type DeploymentWriteOptions,
  noSuchDeployment,
  podLogs,
  type WrittenDeployment,
} from '../deployment/index.ts'
import { type Cluster, deleteObject } from '../kube/index.ts'
import { deployedObjects, readyShare } from './deployment-objects.ts'
import { idOf } from './deployment-id.ts'
import { describeDeployment, part, text } from './describe-deployment.ts'
import { newObject, updatedObject } from './desired-object.ts'
import { findDeployment } from './find-deployment.ts'
import { fluxCache } from './flux-cache.ts'
import { type FluxConfig, type FluxSettings, fluxSettings } from './flux-config.ts'
import { textExtension } from './flux-extensions.ts'
import { requestedAtAnnotation } from './flux-kinds.ts'
import { createPackage, deletePackage, describePackage, findPackage, listPackages } from './flux-packages.ts'
import { fluxState } from './flux-status.ts'
import { asFollowing, asPinned, removePinnedSource } from './pin-source.ts'
import { rollbackTarget, rolledBack } from './roll-back.ts'
import { readRevisions, syncRevisions } from './spec-revisions.ts'
import { changeDeployment, createDeployment, type FluxWriter, withSpec } from './write-deployment.ts'

/** Deployments as Flux's HelmReleases and Kustomizations, read from watches. `ctx.signal` ends the watches, as `close` does. */
export function createFluxAdapter(cluster: Cluster, config: FluxConfig, ctx: Context): DeploymentAdapter {
  const settings = fluxSettings(config)
  const cache = fluxCache(cluster, settings, ctx)
  return { ...fluxView({ cluster, cache }, settings), close: async () => cache.close() }
}

/** The adapter for one caller, or without one, for the adapter's own identity. */
function fluxView(writer: FluxWriter, settings: FluxSettings): DeploymentAdapter {
  const { cluster, cache, access } = writer
  const home = settings.namespace
  const find = (id: string, caller: Context): Promise<KubeObject> => findDeployment(cache, id, home, access, caller)
  const change = async (
    id: string,
    next: (live: KubeObject) => KubeObject,
    options: DeploymentWriteOptions & { readonly description: string },
    caller: Context,
  ): Promise<WrittenDeployment> => changeDeployment(writer, await find(id, caller), next, options, caller)

  return {
    name: 'flux',
    version: '2',
    capabilities: [
      'package-management',
      'deployment-lifecycle',
      'rollback',
      'scaling',
      'gitops',
      'health-checks',
      'metrics',
    ],
    listPackages: (query, caller) => listPackages(writer, query, caller),
    getPackage: async (id, caller) => describePackage(await findPackage(writer, id, settings, caller)),
    createPackage: (request, options, caller) => createPackage(writer, request, settings, options, caller),
    deletePackage: (id, options, caller) => deletePackage(writer, id, settings, options, caller),
    list: async (filter, caller) => (await cache.deployments(caller)).list(filter, [home], access),
    async get(id, caller) {
      const object = await find(id, caller)
      return (await cache.deployments(caller)).get(idOf(object))?.describe() ?? describeDeployment(object, 1)
    },
    async create(request, options, caller) {
      const object = newObject(request, settings)
      const revision = textExtension(request.extensions ?? {}, 'flux.targetRevision')
      const wanted = revision === undefined ? object : asPinned(object, part(object, 'spec', 'sourceRef'), revision)
      return createDeployment(writer, wanted, options, caller)
    },
    update: (id, update, options, caller) =>
      change(
        id,
        (live) => {
          const revision = update.extensions?.['flux.targetRevision']
          const source = revision === undefined ? live : asFollowing(live)
          const next = updatedObject(source, update, settings)
          return typeof revision === 'string' ? asPinned(next, part(next, 'spec', 'sourceRef'), revision) : next
        },
        { ...options, description: update.description ?? 'updated' },
        caller,
      ),
    async delete(id, { dryRun = false, ifMatch }, caller) {
      const object = await find(id, caller)
      const { uid } = object.metadata
      const how = { uid, resourceVersion: ifMatch, dryRun, keep: 'ignore', wait: false } as const
      const { action } = await deleteObject(cluster, refOf(object), how, caller)
      if (action !== 'deleted') throw noSuchDeployment(id)
      if (!dryRun) await removePinnedSource(cluster, object, caller)
    },
    async scale(id, replicas, options, caller) {
      checkReplicas(replicas)
      return change(id, (live) => scaled(live, replicas), { ...options, description: `scaled to ${replicas}` }, caller)
    },
    async rollback(id, revision, options, caller) {
      const object = await find(id, caller)
      const revisions =
        options.dryRun === true
          ? await readRevisions(cluster, object, caller)
          : await syncRevisions(cluster, object, 'before the rollback', caller)
      const target = rollbackTarget(id, revisions, revision)
      const description = `rollback to revision ${target.revision}`
      return changeDeployment(
        writer,
        object,
        (live) => requested(rolledBack(live, target), caller),
        { ...options, description },
        caller,
      )
    },
    suspend: (id, options, caller) =>
      change(id, (live) => withSpec(live, { suspend: true }), { ...options, description: 'suspended' }, caller),
    resume: (id, options, caller) =>
      change(id, (live) => withSpec(live, { suspend: undefined }), { ...options, description: 'resumed' }, caller),
    async reconcile(id, caller) {
      const options = { description: 'reconciled' }
      return (await change(id, (live) => requested(live, caller), options, caller)).deployment
    },
    async status(id, caller): Promise<DeploymentStatusDetail> {
      const object = await find(id, caller)
      const { status, ...state } = fluxState(object)
      return { id: idOf(object), status, progress: await progressOf(cluster, object, caller), ...state }
    },
    async history(id, caller): Promise<DeploymentHistory> {
      const object = await find(id, caller)
      const revisions = await syncRevisions(cluster, object, 'found on the cluster', caller)
      const last = revisions.at(-1)
      return {
        id: idOf(object),
        revisions: revisions.toReversed().map((one) => ({
          revision: one.revision,
          version: one.sourceRevision ?? text(part(one.spec, 'chart', 'spec')['version']),
          deployedAt: one.createdAt,
          status: one === last ? 'current' : 'superseded',
          description: one.description,
        })),
      }
    },
    async *logs(id, options, caller) {
      const deployed = await deployedObjects(cluster, await find(id, caller), caller)
      yield* podLogs(cluster, deployed, options, caller)
    },
    async health(caller) {
      try {
        await cache.deployments(caller)
        return { healthy: true, message: 'Flux is served by the cluster' }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        return { healthy: false, message: `flux adapter not healthy: ${message}` }
      }
    },
    as: (caller) => fluxView({ ...writer, cluster: caller.cluster, access: caller }, settings),
    close: async () => undefined,
  }
}

/** Sets `replicaCount` where the values have it; there is no other common way to scale a chart. */
function scaled(live: KubeObject, replicas: number): KubeObject {
  const spec = part(live, 'spec')
  if (live.kind === 'Kustomization') {
    const path = text(spec['path'])
    throw notScalable(live, `the replicas are declared in its source, below ${path}`)
  }
  const values = isRecord(spec['values']) ? spec['values'] : {}
  return withSpec(live, { values: { ...values, replicaCount: replicas } })
}

function notScalable(live: KubeObject, why: string): LadingError {
  return new LadingError('deployment.not-scalable', `${idOf(live)} cannot be scaled: ${why}`, { id: idOf(live) })
}

function requested(object: KubeObject, { clock }: Context): KubeObject {
  const at = new Date(clock.now()).toISOString()
  const annotations = { ...object.metadata.annotations, [requestedAtAnnotation]: at }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** The share of ready objects; complete only when Flux says so. */
async function progressOf(cluster: Cluster, object: KubeObject, ctx: Context): Promise<number> {
  const { status } = fluxState(object)
  if (status === 'deployed') return 100
  if (status === 'pending') return 0
  return Math.min(99, (await readyShare(cluster, object, ctx)) ?? 0)
}

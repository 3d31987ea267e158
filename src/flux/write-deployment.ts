import { type Context, isLadingError, isRecord, type KubeObject, LadingError, refOf } from '../core/index.ts'
import type { CallerAccess, DeploymentWriteOptions, WrittenDeployment } from '../deployment/index.ts'
import { type Cluster, createObject, getObject, updateObject } from '../kube/index.ts'
import { diffObjects } from '../release/index.ts'
import { idOf } from './deployment-id.ts'
import { describeDeployment } from './describe-deployment.ts'
import type { FluxCache } from './flux-cache.ts'
import { pinnedFrom, removePinnedSource, writePinnedSource } from './pin-source.ts'
import { readRevisions, syncRevisions } from './spec-revisions.ts'

/** What writes go to. */
export interface FluxWriter {
  readonly cluster: Cluster
  readonly cache: FluxCache
  /** Whose writes they are; what the caller may not see is not there. */
  readonly access?: CallerAccess
}

const fieldManager = 'lading-gateway'
/** How often a write is tried again when somebody else changes the object in between. */
const tries = 5

/** Creates the Flux object of a deployment and stores its first revision. */
export async function createDeployment(
  { cluster, cache }: FluxWriter,
  object: KubeObject,
  { dryRun = false }: DeploymentWriteOptions,
  ctx: Context,
): Promise<WrittenDeployment> {
  // Tried first, and written once the deployment has a uid to own it: nothing is left or changed where it cannot be created.
  await writePinnedSource(cluster, object, { dryRun: true }, ctx)
  const created = await createObject(cluster, object, { dryRun, fieldManager }, ctx).catch((error: unknown) => {
    if (!isLadingError(error, 'kube.already-exists')) throw error
    throw new LadingError('deployment.exists', `deployment already exists: ${idOf(object)}`, { id: idOf(object) })
  })
  const changes = diffObjects({ ...created, spec: undefined }, created)
  if (dryRun) return { deployment: describeDeployment(created, 1), changes }
  cache.wrote(created)
  await writePinnedSource(cluster, created, {}, ctx)
  await syncRevisions(cluster, created, 'created', ctx)
  return { deployment: describeDeployment(created, 1), changes }
}

/** Changes the Flux object of a deployment; both what was and what is are stored as revisions. */
export async function changeDeployment(
  { cluster, cache }: FluxWriter,
  found: KubeObject,
  change: (live: KubeObject) => KubeObject,
  { dryRun = false, ifMatch, description }: DeploymentWriteOptions & { readonly description: string },
  ctx: Context,
): Promise<WrittenDeployment> {
  for (let attempt = 1; ; attempt++) {
    const live = attempt === 1 && ifMatch === undefined ? found : await readAgain(cluster, found, ctx)
    if (ifMatch !== undefined && live.metadata.resourceVersion !== ifMatch) throw changedSince(live)
    const desired = change(live)
    try {
      if (!dryRun) await syncRevisions(cluster, live, 'before the change', ctx)
      await writePinnedSource(cluster, desired, { dryRun: true }, ctx)
      const written = await updateObject(cluster, desired, { dryRun, fieldManager }, ctx)
      const changes = diffObjects(live, written)
      if (dryRun) return { deployment: describeDeployment(written, await versionOf(cluster, live, ctx)), changes }
      cache.wrote(written)
      await writePinnedSource(cluster, written, {}, ctx)
      if (pinnedFrom(written) === undefined && pinnedFrom(live) !== undefined) {
        await removePinnedSource(cluster, live, ctx)
      }
      const revisions = await syncRevisions(cluster, written, description, ctx)
      const version = revisions.at(-1)?.revision ?? 1
      cache.numbered(written, version)
      return { deployment: describeDeployment(written, version), changes }
    } catch (error) {
      // The cache may be behind: the object is read anew, and the change made again on what it is.
      if (ifMatch !== undefined || attempt === tries || !isLadingError(error, 'kube.conflict')) throw error
    }
  }
}

async function versionOf(cluster: Cluster, object: KubeObject, ctx: Context): Promise<number> {
  return (await readRevisions(cluster, object, ctx)).at(-1)?.revision ?? 1
}

async function readAgain(cluster: Cluster, found: KubeObject, ctx: Context): Promise<KubeObject> {
  const live = await getObject(cluster, refOf(found), ctx)
  if (live !== undefined && live.metadata.uid === found.metadata.uid) return live
  throw new LadingError('deployment.not-found', `deployment not found: ${idOf(found)}`, { id: idOf(found) })
}

function changedSince(live: KubeObject): LadingError {
  return new LadingError('kube.conflict', `${idOf(live)} has changed since: it is at ${live.metadata.resourceVersion}`)
}

/** The object with some fields of its spec changed; undefined removes one. */
export function withSpec(object: KubeObject, fields: Readonly<Record<string, unknown>>): KubeObject {
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  const next = Object.entries({ ...spec, ...fields }).filter(([, value]) => value !== undefined)
  return { ...object, spec: Object.fromEntries(next) }
}

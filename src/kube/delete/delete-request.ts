import {
  type Context,
  type ErrorCode,
  isLadingError,
  isRecord,
  LadingError,
  type ObjectMeta,
  type ObjectRef,
} from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { getMetadata } from '../read/get.ts'
import { findServed } from '../read/live-index.ts'
import { keepPolicy, ownershipMismatch, type OwnershipGuard } from '../apply/ownership.ts'
import { objectPath } from '../discovery/paths.ts'

/** Which object is meant and what may be done with it. */
export interface DeleteRules {
  /** What becomes of dependents (default: `Background`). */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** Only what carries these labels and annotations is deleted. */
  readonly owner?: OwnershipGuard
  /** Whether a `resource-policy: keep` annotation keeps the object (default: `respect`). */
  readonly keep?: 'respect' | 'ignore'
  readonly gracePeriodSeconds?: number
  readonly dryRun?: boolean
  /** A rule of the caller's own, asked last before the request: the reason to leave the object alone, or an error to refuse. */
  readonly spare?: (ref: ObjectRef, live: ObjectMeta, ctx: Context) => Promise<string | undefined>
}

/** The very object that is meant. */
export interface DeletePreconditions {
  /** Another object of the same name is left alone. */
  readonly uid?: string
  /** An object that changed since is not deleted: kube.conflict. */
  readonly resourceVersion?: string
}

/** What the API server made of a request to delete. */
export type Deletion =
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'skipped'; readonly reason: string; readonly code?: ErrorCode }
  /** `finished` when the object is known to be gone; otherwise it may still be terminating. */
  | { readonly outcome: 'accepted'; readonly ref: ObjectRef; readonly uid?: string; readonly finished: boolean }

const attempts = 10

/**
 * Asks to delete one object. Where the live object is known, the request is bound to the very version that was looked at, and the
 * decision is taken again when that changed meanwhile. `known` saves reading it.
 */
export async function requestDeletion(
  cluster: Cluster,
  ref: ObjectRef,
  rules: DeleteRules & DeletePreconditions,
  known: ObjectMeta | null | undefined,
  ctx: Context,
): Promise<Deletion> {
  const resource = await findServed(cluster, ref, ctx)
  if (resource === undefined) return { outcome: 'absent' }
  const served = { ...ref, version: resource.version }
  const reread = async (): Promise<ObjectMeta | null> => (await getMetadata(cluster, served, ctx))?.metadata ?? null
  let live = known
  if (live === undefined && looksAtLive(rules)) live = await reread()
  for (let attempt = 1; ; attempt++) {
    if (live === null) return { outcome: 'absent' }
    const spared = live === undefined ? undefined : reasonToSpare(live, rules)
    if (spared !== undefined) return spared
    const reason = live === undefined ? undefined : await rules.spare?.(served, live, ctx)
    if (reason !== undefined) return { outcome: 'skipped', reason }
    try {
      return await sendDeletion(cluster, resource, served, rules, live, ctx)
    } catch (error) {
      if (isLadingError(error, 'kube.not-found')) return { outcome: 'absent' }
      if (!isLadingError(error, 'kube.conflict') || attempt === attempts) throw error
    }
    live = await reread()
    // A namespace that is terminating already refuses every further request with a conflict.
    if (typeof live?.deletionTimestamp === 'string' && (rules.uid ?? live.uid) === live.uid) {
      return { outcome: 'accepted', ref: served, finished: false, uid: live.uid }
    }
  }
}

function looksAtLive(rules: DeleteRules): boolean {
  return rules.keep !== 'ignore' || rules.owner !== undefined || rules.spare !== undefined
}

async function sendDeletion(
  cluster: Cluster,
  resource: ApiResource,
  ref: ObjectRef,
  rules: DeleteRules & DeletePreconditions,
  live: ObjectMeta | undefined,
  ctx: Context,
): Promise<Deletion> {
  const preconditions = {
    uid: rules.uid ?? live?.uid,
    resourceVersion: rules.resourceVersion ?? live?.resourceVersion,
  }
  const body = deleteOptions(rules, preconditions)
  const response = await cluster.transport.request({ method: 'DELETE', path: objectPath(resource, ref), body }, ctx)
  return { outcome: 'accepted', ref, ...acceptance(response.body, preconditions.uid) }
}

function reasonToSpare(live: ObjectMeta, rules: DeleteRules & DeletePreconditions): Deletion | undefined {
  if (rules.uid !== undefined && live.uid !== rules.uid) {
    return { outcome: 'skipped', reason: `another object has taken its name: uid ${live.uid}, expected ${rules.uid}` }
  }
  if (rules.resourceVersion !== undefined && live.resourceVersion !== rules.resourceVersion) {
    throw new LadingError(
      'kube.conflict',
      `the object changed: resourceVersion ${live.resourceVersion}, expected ${rules.resourceVersion}`,
      {
        resourceVersion: live.resourceVersion,
        expected: rules.resourceVersion,
      },
    )
  }
  const policy = rules.keep === 'ignore' ? undefined : keepPolicy(live)
  if (policy !== undefined) return { outcome: 'skipped', reason: `kept by its annotation ${policy}` }
  const mismatch = rules.owner === undefined ? undefined : ownershipMismatch(live, rules.owner)
  if (mismatch !== undefined) return { outcome: 'skipped', reason: `not owned: ${mismatch}`, code: 'delete.not-owned' }
  return undefined
}

/** DeleteOptions as the API server reads them; with a body, it does not look at query parameters. */
function deleteOptions(rules: DeleteRules, preconditions: DeletePreconditions): Record<string, unknown> {
  const { propagation = 'Background', gracePeriodSeconds, dryRun = false } = rules
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: propagation,
    gracePeriodSeconds,
    ...(dryRun && { dryRun: ['All'] }),
    preconditions,
  }
}

/** An object that is gone is answered by a Status, one that waits for something (mostly) by itself. */
function acceptance(body: unknown, expectedUid: string | undefined): { uid?: string; finished: boolean } {
  const finished = isRecord(body) && body['kind'] === 'Status'
  const metadata = isRecord(body) && isRecord(body['metadata']) ? body['metadata'] : {}
  const uid = expectedUid ?? metadata['uid']
  return typeof uid === 'string' ? { uid, finished } : { finished }
}

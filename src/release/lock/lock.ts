import {
  type Context,
  during,
  isLadingError,
  type KubeObject,
  LadingError,
  monotonicNow,
  type ObjectRef,
} from '../../core/index.ts'
import { type Cluster, createObject, deleteObject, getObject, updateObject } from '../../kube/index.ts'
import { holdLease, type ReleaseLock } from './held-lock.ts'
import { instant } from './instant.ts'
import { leaseObject, leaseRef, type LockOptions, readLease } from './lease.ts'
import { holderOf, isDeadProcess } from './lock-holder.ts'

/**
 * Takes the Lease of a release. A lease that nobody renews is taken over after its duration, or at once when its holder was a
 * process of this machine that is gone; one that is being renewed is refused with `release.locked`.
 */
export async function acquireLock(cluster: Cluster, options: LockOptions, ctx: Context): Promise<ReleaseLock> {
  const holder = options.holder ?? holderOf(process.pid)
  const ref = leaseRef(options.name, options.namespace)
  for (;;) {
    const found = await getObject(cluster, ref, ctx)
    // With our own name in it, the answer to our own request got lost: nobody else writes that.
    const isOurs = found !== undefined && readLease(found).holder === holder
    if (found !== undefined && !isOurs) {
      const what = `waiting for the lock of release ${options.namespace}/${options.name}, held by ${readLease(found).holder}`
      await during(what, ctx, () => waitUntilAbandoned(cluster, ref, found, options, ctx))
    }
    const sentAt = instant(ctx.clock)
    const lease = await takeLease(cluster, ref, found, options, holder, ctx)
    if (lease !== undefined) return holdLease(cluster, lease, sentAt, options, holder, ctx)
  }
}

/** Removes a lock whose holder is known to be gone, for commands that find nothing to do and take none. */
export async function sweepLock(
  cluster: Cluster,
  { name, namespace }: Pick<LockOptions, 'name' | 'namespace'>,
  ctx: Context,
): Promise<void> {
  const ref = leaseRef(name, namespace)
  const found = await getObject(cluster, ref, ctx)
  if (found === undefined || !isExpired(found, ctx)) return
  const { uid, resourceVersion } = found.metadata
  if (uid === undefined || resourceVersion === undefined) return
  await deleteObject(cluster, ref, { uid, resourceVersion, wait: false }, ctx)
}

/** Returns once nobody holds the lease any more; throws when its holder shows that it is alive. */
async function waitUntilAbandoned(
  cluster: Cluster,
  ref: ObjectRef,
  first: KubeObject,
  options: LockOptions,
  ctx: Context,
): Promise<void> {
  if (isExpired(first, ctx)) return
  const { durationMs } = readLease(first)
  // Another machine's clock may be off, and ours may be set meanwhile: what counts is whether the lease changes while we look.
  const end = monotonicNow(ctx.clock) + durationMs
  while (monotonicNow(ctx.clock) < end) {
    await ctx.clock.sleep(Math.min(1000, durationMs / 4), ctx.signal)
    const now = await getObject(cluster, ref, ctx)
    if (now === undefined) return
    if (now.metadata.resourceVersion !== first.metadata.resourceVersion) throw locked(now, options)
  }
}

function isExpired(lease: KubeObject, ctx: Context): boolean {
  const { holder, durationMs, renewTime } = readLease(lease)
  return holder === '' || isDeadProcess(holder) || ctx.clock.now() > renewTime + durationMs + clockSkewMs
}

/**
 * Clocks of two machines may be off, by minutes or by a time zone, and may be set at any time; whoever takes a lease for expired by mistake
 * takes it from a holder that is at work. One that is younger than this is looked at for its duration instead.
 */
const clockSkewMs = 86_400_000

async function takeLease(
  cluster: Cluster,
  ref: ObjectRef,
  found: KubeObject | undefined,
  options: LockOptions,
  holder: string,
  ctx: Context,
): Promise<KubeObject | undefined> {
  const lease = leaseObject(ref, found, options, holder, ctx)
  try {
    return found === undefined
      ? await createObject(cluster, lease, { repeatable: true }, ctx)
      : await updateObject(cluster, lease, {}, ctx)
  } catch (error) {
    // Somebody else was faster: look again at who it is.
    if (isLadingError(error, 'kube.conflict', 'kube.already-exists')) return undefined
    if (!isLadingError(error, 'kube.not-found')) throw error
    if (found !== undefined) return undefined
    const { namespace } = options
    const message = `the namespace ${namespace} does not exist: create it, or have it created with --create-namespace`
    throw new LadingError('kube.not-found', message, { namespace }, { cause: error })
  }
}

function locked(lease: KubeObject, { name, namespace }: LockOptions): LadingError {
  const { holder } = readLease(lease)
  const operation = lease.metadata.annotations?.['lading.dev/operation'] ?? 'an operation'
  const message = `release ${namespace}/${name} is locked: ${operation} by ${holder} is under way`
  return new LadingError('release.locked', message, { name, namespace, holder, operation })
}

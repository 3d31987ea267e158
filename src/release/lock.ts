import { type Context, isLadingError, isRecord, type KubeObject, LadingError, type ObjectRef } from '../core/index.ts'
import { type Cluster, createObject, deleteObject, getObject, updateObject } from '../kube/index.ts'
import { holderOf, isDeadProcess } from './lock-holder.ts'

/** How a release is locked. */
export interface LockOptions {
  readonly name: string
  readonly namespace: string
  /** What the holder does, for whoever finds the lock taken. */
  readonly operation: string
  /** How long a lock holds without being renewed; 10 s unless told. */
  readonly durationMs?: number
  /** Who holds it; this process unless told. */
  readonly holder?: string
}

/** A lock that is held: renewed until it is released, and its signal aborts if it is lost. */
export interface ReleaseLock {
  readonly holder: string
  /** Aborted when the lock was lost or the caller's own signal was. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

const defaultDurationMs = 10_000

/**
 * Takes the Lease of a release. A lease that nobody renews is taken over after its duration, or at once when its holder was a
 * process of this machine that is gone; one that is being renewed is refused with `release.locked`.
 */
export async function acquireLock(cluster: Cluster, options: LockOptions, ctx: Context): Promise<ReleaseLock> {
  const holder = options.holder ?? holderOf(process.pid)
  const ref = leaseRef(options.name, options.namespace)
  for (;;) {
    const found = await getObject(cluster, ref, ctx)
    // The answer to our own request got lost: nobody else writes this name into it.
    if (found !== undefined && readLease(found).holder === holder)
      return holdLease(cluster, found, options, holder, ctx)
    if (found !== undefined) await waitUntilAbandoned(cluster, ref, found, options, ctx)
    const lease = await takeLease(cluster, ref, found, options, holder, ctx)
    if (lease !== undefined) return holdLease(cluster, lease, options, holder, ctx)
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

/** The Lease of a release. */
export function leaseRef(name: string, namespace: string): ObjectRef {
  return { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace, name: `lading.${name}` }
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
  // Another machine's clock may be off: what counts is whether the lease changes while we look.
  const since = ctx.clock.now()
  while (ctx.clock.now() < since + durationMs) {
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

/** Clocks of two machines are often off by a minute or two; whoever takes one for expired by mistake works beside its holder. */
const clockSkewMs = 300_000

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

function leaseObject(
  ref: ObjectRef,
  found: KubeObject | undefined,
  { name, operation, durationMs = defaultDurationMs }: LockOptions,
  holder: string,
  ctx: Context,
): KubeObject {
  const now = new Date(ctx.clock.now()).toISOString().replace('Z', '000Z')
  const transitions = Number(leaseSpec(found)['leaseTransitions'] ?? 0) + (found === undefined ? 0 : 1)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: ref.name,
      ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
      ...(found?.metadata.resourceVersion === undefined ? {} : { resourceVersion: found.metadata.resourceVersion }),
      labels: { 'app.kubernetes.io/managed-by': 'lading' },
      annotations: { 'lading.dev/release-name': name, 'lading.dev/operation': operation },
    },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: Math.max(1, Math.round(durationMs / 1000)),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: transitions,
    },
  }
}

function holdLease(
  cluster: Cluster,
  acquired: KubeObject,
  options: LockOptions,
  holder: string,
  ctx: Context,
): ReleaseLock {
  const { durationMs = defaultDurationMs } = options
  const lost = new AbortController()
  const done = new AbortController()
  // Renewal goes on while the caller's operation is being cancelled, so that its last writes are still under the lock.
  const background: Context = { ...ctx, signal: done.signal }
  let lease = acquired

  const renewing = (async () => {
    let renewedAt = ctx.clock.now()
    for (;;) {
      await ctx.clock.sleep(durationMs / 3, done.signal)
      try {
        const renewTime = new Date(ctx.clock.now()).toISOString().replace('Z', '000Z')
        const next = { ...lease, spec: { ...leaseSpec(lease), renewTime } }
        lease = await updateObject(cluster, next, {}, background)
        renewedAt = ctx.clock.now()
      } catch (error) {
        const taken = isLadingError(error, 'kube.conflict', 'kube.not-found')
        const own = taken ? await ownLease(cluster, options, holder, background) : undefined
        if (own !== undefined) {
          lease = own
          renewedAt = ctx.clock.now()
          continue
        }
        if (taken || ctx.clock.now() > renewedAt + durationMs) {
          lost.abort(
            new LadingError('release.locked', `the lock of release ${options.name} was lost`, { name: options.name }),
          )
          return
        }
        ctx.log.warn('lock not renewed', { name: options.name, code: isLadingError(error) ? error.code : 'internal' })
      }
    }
  })().catch(() => {
    // Released while asleep.
  })

  return {
    holder,
    signal: AbortSignal.any([ctx.signal, lost.signal]),
    release: async () => {
      done.abort()
      await renewing
      if (lost.signal.aborted) return
      // Not under the caller's signal: a cancelled operation has to give its lock back too. But not for ever, for it expires anyway.
      const unbound: Context = { ...ctx, signal: AbortSignal.timeout(Math.max(durationMs, defaultDurationMs)) }
      try {
        await removeLease(cluster, lease, options, holder, unbound)
      } catch (error) {
        ctx.log.warn('lock not released; it expires by itself', {
          name: options.name,
          code: isLadingError(error) ? error.code : 'internal',
        })
      }
    },
  }
}

/** Removes the lease that we hold; a renewal that was cut off may have been stored all the same, and then it has another version. */
async function removeLease(
  cluster: Cluster,
  { metadata: { uid, resourceVersion } }: KubeObject,
  options: LockOptions,
  holder: string,
  ctx: Context,
): Promise<void> {
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
  const ref = leaseRef(options.name, options.namespace)
  try {
    await deleteObject(cluster, ref, { ...preconditions, wait: false }, ctx)
  } catch (error) {
    const own = isLadingError(error, 'kube.conflict') ? await ownLease(cluster, options, holder, ctx) : undefined
    if (own === undefined || own.metadata.resourceVersion === resourceVersion) throw error
    await removeLease(cluster, own, options, holder, ctx)
  }
}

/** The lease if it is still ours: a renewal whose answer got lost is sent again and meets itself as a conflict. */
async function ownLease(
  cluster: Cluster,
  { name, namespace }: LockOptions,
  holder: string,
  ctx: Context,
): Promise<KubeObject | undefined> {
  const found = await getObject(cluster, leaseRef(name, namespace), ctx)
  return found !== undefined && readLease(found).holder === holder ? found : undefined
}

function readLease(lease: KubeObject): { holder: string; durationMs: number; renewTime: number } {
  const spec = leaseSpec(lease)
  return {
    holder: textOf(spec['holderIdentity']),
    durationMs: Number(spec['leaseDurationSeconds'] ?? 0) * 1000,
    renewTime: Date.parse(textOf(spec['renewTime'])) || 0,
  }
}

function leaseSpec(lease: KubeObject | undefined): Record<string, unknown> {
  const spec = lease?.['spec']
  return isRecord(spec) ? spec : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function locked(lease: KubeObject, { name, namespace }: LockOptions): LadingError {
  const { holder } = readLease(lease)
  const operation = lease.metadata.annotations?.['lading.dev/operation'] ?? 'an operation'
  const message = `release ${namespace}/${name} is locked: ${operation} by ${holder} is under way`
  return new LadingError('release.locked', message, { name, namespace, holder, operation })
}

import { type Context, context, type Fence, isLadingError, type KubeObject, LadingError } from '../../core/index.ts'
import { type Cluster, deleteObject, updateObject } from '../../kube/index.ts'
import { type Instant, instant, mostElapsed } from './instant.ts'
import { defaultDurationMs, durationOf, leaseRef, type LockOptions, ownLease, renewedLease } from './lease.ts'

/** A lock that is held: renewed until it is released. */
export interface ReleaseLock {
  readonly holder: string
  /** Aborted when the lock was lost or the caller's own signal was. */
  readonly signal: AbortSignal
  /** For work under the lock: it ends when the lock is lost, and no write passes without it (ADR 18). */
  readonly context: Context
  /** The error `release.lock-lost` if the lock is lost; where too much time has passed to tell, it is asked for. */
  lost(): Promise<LadingError | undefined>
  release(): Promise<void>
}

const maxAttempts = 8

/** The part of a lock's duration in which nothing is written any more, so that what is on its way arrives in time. */
const margin = 0.2

/**
 * Holds a Lease that was written at `acquiredAt` or later. The lock counts as held for its duration, less a margin, from when the last
 * renewal that the server confirmed was sent. After that nothing is written before another renewal has succeeded: it is bound to the
 * version of the last one, so it succeeds only if nobody else has held the lock meanwhile.
 */
export function holdLease(
  cluster: Cluster,
  acquired: KubeObject,
  acquiredAt: Instant,
  options: LockOptions,
  holder: string,
  ctx: Context,
): ReleaseLock {
  const durationMs = durationOf(options)
  const gone = new AbortController()
  const done = new AbortController()
  let lease = acquired
  let confirmedAt = acquiredAt
  let lost: LadingError | undefined
  let renewal: Promise<void> | undefined

  const lose = (cause: unknown): LadingError => {
    lost ??= lockLost(options, cause)
    gone.abort(lost)
    return lost
  }
  /** Renews once; a renewal that fails may be tried again unless the lock was taken. */
  const renew = async (): Promise<void> => {
    // Renewal goes on while the caller's operation is being cancelled, so that its last writes are still under the lock. A slow answer is
    // waited for: nothing is written meanwhile.
    const signal = AbortSignal.any([done.signal, AbortSignal.timeout(Math.max(durationMs, defaultDurationMs))])
    const own = context({ log: ctx.log, clock: ctx.clock, signal })
    for (let attempt = 1; ; attempt++) {
      const sentAt = instant(ctx.clock)
      try {
        lease = await updateObject(cluster, renewedLease(lease, ctx), {}, own)
        confirmedAt = sentAt
        return
      } catch (error) {
        if (!isLadingError(error, 'kube.conflict', 'kube.not-found')) throw error
        const found = await ownLease(cluster, options, holder, own)
        if (found === undefined) throw lose(error)
        // With our name in it nobody has taken it: an answer of ours got lost, or the conflict passed inside of the server.
        if (attempt === maxAttempts) throw error
        lease = found
      }
    }
  }
  const renewOnce = (): Promise<void> => (renewal ??= renew().finally(() => (renewal = undefined)))
  const refusal = (): LadingError | undefined => {
    if (lost !== undefined) return lost
    return mostElapsed(confirmedAt, ctx.clock) < durationMs * (1 - margin) ? undefined : lockLost(options, undefined)
  }
  const fence: Fence = {
    refusal,
    async confirm() {
      if (refusal() === undefined) return
      if (lost !== undefined) throw lost
      try {
        await renewOnce()
      } catch (error) {
        throw lose(error)
      }
      if (refusal() !== undefined) throw lose(undefined)
    },
  }
  const renewing = (async () => {
    for (;;) {
      await ctx.clock.sleep(durationMs / 3, done.signal)
      try {
        await renewOnce()
      } catch (error) {
        if (done.signal.aborted || lost !== undefined) return
        if (mostElapsed(confirmedAt, ctx.clock) > durationMs) throw lose(error)
        ctx.log.warn('lock not renewed', { name: options.name, code: isLadingError(error) ? error.code : 'internal' })
      }
    }
  })().catch(() => {
    // Released while asleep, or lost: whoever works under the lock hears of that.
  })

  const signal = AbortSignal.any([ctx.signal, gone.signal])
  return {
    holder,
    signal,
    context: context({ ...ctx, signal, fence, ...overtimeUntil(gone.signal, ctx) }),
    async lost() {
      await fence.confirm().catch(() => undefined)
      return lost
    },
    release: async () => {
      done.abort()
      await renewing
      if (lost !== undefined) return
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

/** Also what is done after the deadline ends when the lock is lost. */
function overtimeUntil(gone: AbortSignal, { deadline }: Context): Pick<Context, 'deadline'> {
  if (deadline === undefined) return {}
  return { deadline: { ...deadline, overtime: AbortSignal.any([deadline.overtime, gone]) } }
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

function lockLost({ name, namespace, operation }: LockOptions, cause: unknown): LadingError {
  const message = `${operation} of release ${namespace}/${name} stopped: its lock was lost, and another process may have taken it over`
  return new LadingError('release.lock-lost', message, { name, namespace, operation }, { cause })
}

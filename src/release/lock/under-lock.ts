import type { Context, LadingEvent } from '../../core/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { acquireLock } from './lock.ts'

/**
 * Does some work under the lock of a release, with a context that lets no write pass once the lock may be another's. Work that lost its lock
 * ends with `release.lock-lost`, whatever failed first because of that.
 */
export async function* underLock<T>(
  { cluster, lock: how }: ReleaseEngine,
  release: ReleaseName,
  operation: string,
  work: (locked: Context) => AsyncGenerator<LadingEvent, T>,
  ctx: Context,
): AsyncGenerator<LadingEvent, T> {
  const { name, namespace } = release
  const lock = await acquireLock(cluster, { ...how, name, namespace, operation }, ctx)
  try {
    return yield* work(lock.context)
  } catch (error) {
    throw (await lock.lost()) ?? error
  } finally {
    await lock.release()
  }
}

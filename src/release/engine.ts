import type { Cluster } from '../kube/index.ts'
import type { LockOptions } from './lock/lease.ts'
import type { ReleaseStore } from './storage/release-store.ts'

/** What operations work with. */
export interface ReleaseEngine {
  readonly cluster: Cluster
  readonly store: ReleaseStore
  /** How the lock is held (default: for 10 s at a time, by this process). */
  readonly lock?: Pick<LockOptions, 'durationMs' | 'holder'>
}

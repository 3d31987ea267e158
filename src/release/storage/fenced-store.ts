import { requireLock } from '../../core/index.ts'
import type { ReleaseStore } from './release-store.ts'

/** A store whose writes are refused with `release.lock-lost` once the operation has lost its lock; for stores that do not ask themselves. */
export function fencedStore(store: ReleaseStore): ReleaseStore {
  return {
    driver: store.driver,
    ownership: (release) => store.ownership(release),
    prepare: (record, origin) => store.prepare(record, origin),
    get: (key, ctx) => store.get(key, ctx),
    history: (name, namespace, ctx) => store.history(name, namespace, ctx),
    list: (namespace, ctx) => store.list(namespace, ctx),
    async create(record, ctx) {
      await requireLock(ctx)
      return store.create(record, ctx)
    },
    async update(stored, next, ctx) {
      await requireLock(ctx)
      return store.update(stored, next, ctx)
    },
    async delete(stored, ctx) {
      await requireLock(ctx)
      return store.delete(stored, ctx)
    },
  }
}

import assert from 'node:assert/strict'
import { context, LadingError } from '../../../core/index.ts'
import type { StoreContractCase } from '../contract.ts'
import { assertCode, assertSame, record } from './fixtures.ts'

/** A process that has lost its lock changes no record. */
export const lockCases: readonly StoreContractCase[] = [
  {
    name: 'every write after the lock was lost is refused, and the record stays as it is',
    async run(c) {
      const { name, namespace } = c
      const lost = new LadingError('release.lock-lost', 'the lock was lost', { name, namespace, operation: 'upgrade' })
      const late = context({ fence: { refusal: () => lost, confirm: () => Promise.reject(lost) } })
      const first = record(c)
      const stored = await c.store.create(first, c.ctx)
      await assertCode(c.store.create(record(c, { version: 2 }), late), 'release.lock-lost')
      await assertCode(c.store.update(stored, { ...stored.record, description: 'late' }, late), 'release.lock-lost')
      await assertCode(c.store.delete(stored, late), 'release.lock-lost')
      assertSame((await c.store.get(first, c.ctx))?.record, first)
      const versions = (await c.store.history(name, namespace, c.ctx)).map(({ version }) => version)
      assert.deepEqual(versions, [1])
      await c.store.delete(stored, c.ctx)
    },
  },
  {
    name: 'a write passes once it is confirmed that the lock is still held',
    async run(c) {
      const { name, namespace } = c
      const doubt = new LadingError('release.lock-lost', 'too late', { name, namespace, operation: 'upgrade' })
      let refusal: LadingError | undefined = doubt
      const fence = { refusal: () => refusal, confirm: async (): Promise<void> => void (refusal = undefined) }
      const first = record(c)
      const stored = await c.store.create(first, context({ fence }))
      assertSame((await c.store.get(first, c.ctx))?.record, first)
      await c.store.delete(stored, c.ctx)
    },
  },
]

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { releaseStoreContract } from '../contract/index.ts'
import { record } from './contract/fixtures.ts'
import { createMemoryStore } from './memory-store.ts'

releaseStoreContract({ describe, it, beforeAll, afterAll }, 'the memory store', async () => {
  const store = createMemoryStore()
  return {
    store,
    namespaces: ['one', 'two'],
    holdsLarge: true,
    damage: async (key) => store.damage(key),
    close: async () => undefined,
  }
})

describe('the memory store', () => {
  it('counts what is done to it, and gives nobody its own copy', async () => {
    const store = createMemoryStore()
    const ctx = context()
    const first = record({ name: 'web', namespace: 'shop' })
    const created = await store.create(first, ctx)
    const read = await store.get(first, ctx)
    if (read !== undefined) Object.assign(read.record.values, { replicas: 99 })
    expect((await store.get(first, ctx))?.record.values['replicas']).toBe(3)
    const updated = await store.update(created, first, ctx)
    await store.list(undefined, ctx)
    await store.history('web', 'shop', ctx)
    await store.delete(updated, ctx)
    expect(store.counts).toEqual({ creates: 1, updates: 1, deletes: 1, reads: 2, lists: 2 })
  })
})

import assert from 'node:assert/strict'
import type { StoreContractCase } from '../contract.ts'
import { assertCode, assertSame, largeRecord, record } from './fixtures.ts'

const writers = 8

/** Of several writers one wins, and the others learn of it. */
export const concurrencyCases: readonly StoreContractCase[] = [
  {
    name: 'refuses to create a revision twice',
    async run(c) {
      const first = record(c)
      await c.store.create(first, c.ctx)
      await assertCode(c.store.create(record(c, { notes: 'another' }), c.ctx), 'release.exists')
      assertSame((await c.store.get(first, c.ctx))?.record, first)
    },
  },
  {
    name: 'refuses an update and a deletion of what changed since it was read',
    async run(c) {
      const created = await c.store.create(record(c), c.ctx)
      const second = record(c, { notes: 'second' })
      await c.store.update(created, second, c.ctx)
      await assertCode(c.store.update(created, record(c, { notes: 'third' }), c.ctx), 'release.changed')
      await assertCode(c.store.delete(created, c.ctx), 'release.changed')
      assertSame((await c.store.get(second, c.ctx))?.record, second)
    },
  },
  {
    name: 'refuses an update of what was deleted, also when it was created anew',
    async run(c) {
      const created = await c.store.create(record(c), c.ctx)
      await c.store.delete(created, c.ctx)
      await assertCode(c.store.update(created, record(c, { notes: 'late' }), c.ctx), 'release.changed')
      await c.store.create(record(c), c.ctx)
      await assertCode(c.store.update(created, record(c, { notes: 'late' }), c.ctx), 'release.changed')
      await assertCode(c.store.delete(created, c.ctx), 'release.changed')
      assertSame((await c.store.get(record(c), c.ctx))?.record, record(c))
    },
  },
  {
    name: 'lets exactly one of many concurrent creates win',
    async run(c) {
      const records = Array.from({ length: writers }, (_, index) => record(c, { notes: `writer ${index}` }))
      await oneWins(records.map((one) => c.store.create(one, c.ctx)))
      const read = await c.store.get(record(c), c.ctx)
      assert.ok(records.some(({ notes }) => notes === read?.record.notes))
    },
  },
  {
    name: 'lets exactly one of many concurrent updates win, large records too',
    async run(c) {
      const sizes = c.holdsLarge ? [0, 1_200_000] : [0]
      for (const [index, size] of sizes.entries()) {
        const version = index + 1
        const make = (notes: string): ReturnType<typeof record> =>
          size === 0 ? record(c, { version, notes }) : largeRecord(c, size, { version, notes })
        const created = await c.store.create(make('first'), c.ctx)
        const records = ['a', 'b', 'c'].map(make)
        const winner = await oneWins(records.map((one) => c.store.update(created, one, c.ctx)))
        const expected = records[winner]
        assert.ok(expected)
        assertSame((await c.store.get(expected, c.ctx))?.record, expected)
      }
    },
  },
]

async function oneWins(attempts: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(attempts)
  const won = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []))
  assert.equal(won.length, 1, `${won.length} writers won`)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.match(String(outcome.reason.code), /^release\.(exists|changed)$/)
  }
  return won[0] ?? -1
}

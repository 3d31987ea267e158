import assert from 'node:assert/strict'
import type { ReleaseRecord } from '../../record/record.ts'
import type { StoreCase, StoreContractCase } from '../contract.ts'
import type { ReleaseStore, StoredRecord } from '../release-store.ts'
import { assertSame, largeRecord, record } from './fixtures.ts'

type Make = (c: StoreCase, fields?: Partial<ReleaseRecord>) => ReleaseRecord

const small: Make = (c, fields) => record(c, fields)
const large: Make = (c, fields) => largeRecord(c, 1_100_000, fields)

/** Whatever moment the process ends at, the record is the old one or the new one, and the next write leaves no rubbish. */
export const crashCases: readonly StoreContractCase[] = [
  ...updates('small to small', small, small),
  ...updates('small to large', small, large),
  ...updates('large to small', large, small),
  ...updates('large to large', large, large),
  ...(['small', 'large'] as const).flatMap((size) => {
    const make = size === 'small' ? small : large
    return [
      crashCase(`a crash at any write of a create, ${size}`, make, async (c, version, crash) => {
        const next = make(c, { version })
        await crash((store) => store.create(next, c.ctx))
        const after = await c.store.get(next, c.ctx)
        if (after !== undefined) assertSame(after.record, next)
        return after
      }),
      crashCase(`a crash at any write of a deletion, ${size}`, make, async (c, version, crash) => {
        const old = make(c, { version })
        const created = await c.store.create(old, c.ctx)
        await crash((store) => store.delete(created, c.ctx))
        const after = await c.store.get(old, c.ctx)
        if (after !== undefined) assertSame(after.record, old)
        return after
      }),
    ]
  }),
]

function updates(name: string, from: Make, to: Make): StoreContractCase[] {
  return [
    crashCase(`a crash at any write of an update, ${name}`, from === small ? to : from, async (c, version, crash) => {
      const old = from(c, { version })
      const next = to(c, { version, notes: 'next' })
      const created = await c.store.create(old, c.ctx)
      await crash((store) => store.update(created, next, c.ctx))
      const after = await c.store.get(old, c.ctx)
      assertSame(after?.record, after?.record.notes === 'next' ? next : old)
      return after
    }),
  ]
}

type Crash = (work: (store: ReleaseStore) => Promise<unknown>) => Promise<void>

/** Runs a scenario with a crash after 0, 1, 2… writes, until the work gets through. */
function crashCase(
  name: string,
  largest: Make,
  scenario: (c: StoreCase, version: number, crash: Crash) => Promise<StoredRecord | undefined>,
): StoreContractCase {
  return {
    name: `${name}, leaves the old or the new record, and the next write cleans up`,
    async run(c) {
      if (c.crashing === undefined || (largest === large && !c.holdsLarge)) return
      let crashes = 0
      for (;;) {
        const crashing = c.crashing(crashes)
        const version = crashes + 1
        let crashed = false
        const after = await scenario(c, version, async (work) => {
          await work(crashing).catch(() => {
            crashed = true
          })
        })
        await writeAgain(c, after, version)
        if (!crashed) break
        crashes += 1
      }
      assert.ok(crashes > 0, 'no write was ever reached')
    },
  }
}

async function writeAgain(c: StoreCase, after: StoredRecord | undefined, version: number): Promise<void> {
  const last = small(c, { version, notes: 'last' })
  const written = after === undefined ? await c.store.create(last, c.ctx) : await c.store.update(after, last, c.ctx)
  assertSame((await c.store.get(last, c.ctx))?.record, last)
  assert.deepEqual((await c.extras?.(c.name, c.namespace)) ?? [], [])
  await c.store.delete(written, c.ctx)
  assert.equal(await c.store.get(last, c.ctx), undefined)
}

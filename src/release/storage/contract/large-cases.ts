import assert from 'node:assert/strict'
import type { StoreContractCase } from '../contract.ts'
import { assertCode, assertSame, largeRecord, record } from './fixtures.ts'

/** Large records are kept whole, and are not downloaded to be listed. */
export const largeCases: readonly StoreContractCase[] = [
  {
    name: 'keeps a record of 5 MB that does not compress, or says that it is too large',
    async run(c) {
      const large = largeRecord(c, 5_000_000)
      if (!c.holdsLarge) return assertCode(c.store.create(large, c.ctx), 'release.too-large')
      const created = await c.store.create(large, c.ctx)
      assertSame((await c.store.get(large, c.ctx))?.record, large)
      const other = largeRecord(c, 5_000_000)
      await c.store.update(created, other, c.ctx)
      const read = await c.store.get(other, c.ctx)
      assertSame(read?.record, other)
      assert.ok(read)
      const history = await c.store.history(c.name, c.namespace, c.ctx)
      assert.equal(history.length, 1)
      await c.store.delete(read, c.ctx)
      assert.deepEqual((await c.extras?.(c.name, c.namespace)) ?? [], [])
    },
  },
  {
    name: 'keeps a manifest of 5 MB that repeats itself',
    async run(c) {
      const line = '  - the same line again, as manifests have it\n'
      const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\ndata:\n  lines: |\n${line.repeat(110_000)}`
      const large = record(c, { manifest })
      await c.store.create(large, c.ctx)
      assertSame((await c.store.get(large, c.ctx))?.record, large)
    },
  },
]

/** Last, because every other case is slower beside so many releases. */
export const manyCases: readonly StoreContractCase[] = [
  {
    name: 'lists many releases without downloading their payloads',
    async run(c) {
      if (c.measured === undefined) return
      const { many: releases = 1_000 } = c
      const payload = 10_000
      const names = Array.from({ length: releases }, (_, index) => `${c.name}-${index}`)
      for (let start = 0; start < names.length; start += 50) {
        const batch = names.slice(start, start + 50)
        await Promise.all(batch.map((name) => c.store.create({ ...largeRecord(c, payload), name }, c.ctx)))
      }
      const measured = c.measured()
      const listed = (await measured.store.list(c.namespace, c.ctx)).filter(({ name }) => name.startsWith(c.name))
      assert.equal(listed.length, releases)
      assert.ok(listed.every(({ status, updatedAt }) => status === 'deployed' && updatedAt !== undefined))
      assert.ok(listed.every(({ source }) => source === listed[0]?.source && source !== undefined))
      const { requests, bytes } = measured.traffic()
      assert.ok(requests < 40, `${requests} requests`)
      assert.ok(bytes < releases * 2_500, `${bytes} bytes for ${releases} releases of ${payload}`)
    },
  },
]

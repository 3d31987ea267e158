import assert from 'node:assert/strict'
import type { StoreContractCase } from '../contract.ts'
import { assertSame, record } from './fixtures.ts'

/** The store says whose objects they are, and what a new revision looks like. */
export const ownershipCases: readonly StoreContractCase[] = [
  {
    name: 'marks the objects of a release with its name and namespace, and those of another release otherwise',
    async run(c) {
      const [first, second] = c.namespaces
      const release = { name: c.name, namespace: first }
      const { guard, fieldManager } = c.store.ownership(release)
      assert.deepEqual(c.store.ownership({ ...release }).guard, guard)
      const marks = Object.values({ ...guard.labels, ...guard.annotations })
      assert.ok(marks.includes(c.name), 'no mark names the release')
      assert.notEqual(fieldManager, '')
      for (const other of [
        { ...release, namespace: second },
        { ...release, name: `${c.name}-b` },
      ]) {
        const { annotations, labels } = c.store.ownership(other).guard
        assert.notDeepEqual({ ...labels, ...annotations }, { ...guard.labels, ...guard.annotations })
      }
    },
  },
  {
    name: 'prepares a new revision without changing what it is, and keeps it',
    async run(c) {
      const wanted = record(c)
      const prepared = c.store.prepare(wanted, {})
      const { name, namespace, version, state, values, inventory, manifest } = prepared
      assertSame({ ...wanted, name, namespace, version, state, values, inventory, manifest }, wanted)
      const next = c.store.prepare({ ...wanted, version: 2 }, { previous: prepared })
      assert.equal(next.version, 2)
      await c.store.create(prepared, c.ctx)
      assertSame((await c.store.get(wanted, c.ctx))?.record, wanted)
    },
  },
]

import assert from 'node:assert/strict'
import type { AdapterContractCase } from './adapter-contract.ts'
import { refusedWith } from './lifecycle-cases.ts'
import { waitForStatus } from './wait-for-status.ts'

/** What holds for revisions and the way back to them. */
export const rollbackCases: readonly AdapterContractCase[] = [
  {
    name: 'deploys an earlier revision again, all of it, as a new one, after showing what it changes',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const { deployment } = await c.adapter.create(sample.request(c.name(`back-${index}`)), {}, c.ctx)
        const { id } = deployment
        await waitForStatus(c, id, 'deployed')
        const shown = async (): Promise<unknown> => sample.shows((await c.adapter.get(id, c.ctx)).extensions)
        const states = [await shown()]
        for (const update of sample.updates) {
          const { changes } = await c.adapter.update(id, update, {}, c.ctx)
          assert.ok(changes.length > 0)
          await waitForStatus(c, id, 'deployed')
          states.push(await shown())
        }
        const numbers = (await c.adapter.history(id, c.ctx)).revisions.map(({ revision }) => revision)
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => b - a),
          'newest first',
        )
        assert.equal((await c.adapter.get(id, c.ctx)).version, numbers[0])
        const first = numbers.at(-1)!
        const tried = await c.adapter.rollback(id, first, { dryRun: true }, c.ctx)
        assert.ok(tried.changes.length > 0)
        assert.deepEqual(await shown(), states.at(-1))
        await c.adapter.rollback(id, first, {}, c.ctx)
        await waitForStatus(c, id, 'deployed')
        assert.deepEqual(await shown(), states[0])
        const after = await c.adapter.history(id, c.ctx)
        assert.ok(after.revisions[0]!.revision > numbers[0]!)
        assert.equal(after.revisions.filter(({ status }) => status === 'current').length, 1)
        // Without a number: to what was before the rollback.
        await c.adapter.rollback(id, 0, {}, c.ctx)
        await waitForStatus(c, id, 'deployed')
        assert.deepEqual(await shown(), states.at(-1))
      }
    },
  },
  {
    name: 'to a revision that the history does not have is refused',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const { deployment } = await c.adapter.create(sample.request(c.name(`none-${index}`)), {}, c.ctx)
        await waitForStatus(c, deployment.id, 'deployed')
        await refusedWith(
          'deployment.no-revision',
          c.adapter.rollback(deployment.id, 0, {}, c.ctx),
          /no earlier revision/,
        )
        const call = c.adapter.rollback(deployment.id, 99, {}, c.ctx)
        await refusedWith('deployment.no-revision', call, /^revision 99 not found in history$/)
      }
    },
  },
]

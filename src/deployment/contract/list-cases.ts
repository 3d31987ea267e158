import assert from 'node:assert/strict'
import type { AdapterContractCase } from './adapter-contract.ts'
import { refusedWith } from './lifecycle-cases.ts'
import { waitForStatus } from './wait-for-status.ts'

/** What holds for lists. */
export const listCases: readonly AdapterContractCase[] = [
  {
    name: 'comes in pages by offset and by cursor, in one stable order, with the true total',
    async run(c) {
      const [sample] = c.samples
      const names = Array.from({ length: 5 }, (_, index) => c.name(`page-${index}`))
      const label = { 'example.com/page': c.name('label') }
      for (const name of names) await c.adapter.create({ ...sample!.request(name), labels: label }, {}, c.ctx)
      const all = await c.adapter.list({ labels: label }, c.ctx)
      assert.deepEqual([all.items.length, all.total, all.next], [5, 5, undefined])
      const second = await c.adapter.list({ labels: label, limit: 2, offset: 2 }, c.ctx)
      assert.deepEqual(
        second.items.map(({ id }) => id),
        all.items.slice(2, 4).map(({ id }) => id),
      )
      assert.equal(second.total, 5)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await c.adapter.list({ labels: label, limit: 2, cursor }, c.ctx)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next
        // What goes in between moves nothing.
        if (seen.length === 2) await c.adapter.delete(seen[0]!, {}, c.ctx)
      } while (cursor !== undefined)
      assert.deepEqual(
        seen,
        all.items.map(({ id }) => id),
      )
    },
  },
  {
    name: 'is filtered by status, labels, extensions and namespace, in the words of the answers',
    async run(c) {
      const [sample] = c.samples
      const name = c.name('filter')
      const labels = { 'example.com/filter': name }
      const { deployment } = await c.adapter.create({ ...sample!.request(name), labels }, {}, c.ctx)
      await waitForStatus(c, deployment.id, 'deployed')
      const { namespace, extensions } = await c.adapter.get(deployment.id, c.ctx)
      const [key, value] = Object.entries(extensions)[0]!
      const ids = async (filter: Parameters<typeof c.adapter.list>[0]): Promise<string[]> =>
        (await c.adapter.list(filter, c.ctx)).items.map(({ id }) => id)
      assert.deepEqual(await ids({ labels, status: 'deployed', namespace, extensions: { [key]: value } }), [
        deployment.id,
      ])
      assert.deepEqual(await ids({ labels, status: 'failed' }), [])
      assert.deepEqual(await ids({ labels: { ...labels, 'example.com/other': 'x' } }), [])
      assert.deepEqual(await ids({ labels, namespace: 'no-such-namespace' }), [])
      assert.deepEqual(await ids({ labels, extensions: { [key]: { other: true } } }), [])
    },
  },
  {
    name: 'refuses limits, offsets and cursors that make no sense',
    async run({ adapter, ctx }) {
      await refusedWith('usage.invalid', adapter.list({ offset: -1 }, ctx), /offset/)
      await refusedWith('usage.invalid', adapter.list({ limit: 0 }, ctx), /limit/)
      await refusedWith('usage.invalid', adapter.list({ limit: 1.5 }, ctx), /limit/)
      await refusedWith('usage.invalid', adapter.list({ cursor: 'no cursor' }, ctx), /cursor/)
      assert.deepEqual((await adapter.list({ offset: 1_000_000 }, ctx)).items, [])
    },
  },
]

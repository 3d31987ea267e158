import assert from 'node:assert/strict'
import type { ReleaseState } from '../../record/record.ts'
import type { StoreContractCase } from '../contract.ts'
import { assertCode, assertSame, record } from './fixtures.ts'

const at = '2026-01-02T03:04:05.000Z'

const states: readonly ReleaseState[] = [
  { status: 'deployed' },
  { status: 'superseded' },
  { status: 'uninstalled' },
  { status: 'failed', reason: 'the image cannot be pulled', recoverable: true, failed_at: at },
  { status: 'pending-install', started_at: at, timeout: 300 },
  { status: 'pending-upgrade', started_at: at, timeout: 900, previous_version: 1 },
  { status: 'pending-rollback', started_at: at, timeout: 60, target_version: 3 },
  { status: 'pending-uninstall', started_at: at, timeout: 60 },
  { status: 'recovering', from_status: 'pending-upgrade', attempt: 2, started_at: at },
]

/** What is written can be read, listed, changed and deleted. */
export const recordCases: readonly StoreContractCase[] = [
  {
    name: 'gives back what was created, to the last digit and letter',
    async run(c) {
      const first = record(c)
      const created = await c.store.create(first, c.ctx)
      assertSame(created.record, first)
      const read = await c.store.get(first, c.ctx)
      assertSame(read?.record, first)
      assert.equal(read?.token, created.token)
    },
  },
  {
    name: 'keeps fields that it does not know',
    async run(c) {
      const first = { ...record(c), fromTheFuture: { deep: [1, { more: true }] } }
      await c.store.create(first, c.ctx)
      assertSame((await c.store.get(first, c.ctx))?.record, first)
    },
  },
  {
    name: 'keeps a record without anything optional',
    async run(c) {
      const {
        notes: _,
        description: __,
        userValues: ___,
        ...rest
      } = record(c, { hooks: [], labels: {}, inventory: [] })
      const bare = { ...rest, values: {}, manifest: '', pack: { type: 'kustomize' as const, name: 'shop' } }
      await c.store.create(bare, c.ctx)
      const read = (await c.store.get(bare, c.ctx))?.record
      assertSame(read, bare)
      assert.deepEqual([read?.notes, read?.description, read?.userValues], [undefined, undefined, undefined])
    },
  },
  {
    name: 'keeps every state, and shows its status in the history',
    async run(c) {
      for (const [index, state] of states.entries()) {
        await c.store.create(record(c, { version: index + 1, state }), c.ctx)
      }
      const read = await Promise.all(states.map((_, index) => c.store.get({ ...record(c), version: index + 1 }, c.ctx)))
      assert.deepEqual(
        read.map((stored) => stored?.record.state),
        states,
      )
      const shown = (await c.store.history(c.name, c.namespace, c.ctx)).map(({ status }) => status)
      assert.deepEqual(
        shown.slice(0, -1),
        states.slice(0, -1).map(({ status }) => status),
      )
      // A storage without a word for a recovery, as Helm's, shows what it recovers from.
      assert.ok(
        ['recovering', 'pending-upgrade'].includes(shown.at(-1) ?? ''),
        `a recovery is shown as ${shown.at(-1)}`,
      )
    },
  },
  {
    name: 'has nothing where nothing was stored',
    async run(c) {
      assert.equal(await c.store.get(record(c), c.ctx), undefined)
      assert.deepEqual(await c.store.history(c.name, c.namespace, c.ctx), [])
    },
  },
  {
    name: 'updates a record and deletes it',
    async run(c) {
      const created = await c.store.create(record(c), c.ctx)
      const next = record(c, { state: { status: 'superseded' }, updatedAt: '2026-02-02T00:00:00.000Z', notes: 'Bye.' })
      const updated = await c.store.update(created, next, c.ctx)
      assert.notEqual(updated.token, created.token)
      const read = await c.store.get(next, c.ctx)
      assertSame(read?.record, next)
      assert.ok(read)
      await c.store.delete(read, c.ctx)
      assert.equal(await c.store.get(next, c.ctx), undefined)
      assert.deepEqual(await c.store.history(c.name, c.namespace, c.ctx), [])
      // A command that was interrupted deletes once more.
      await c.store.delete(read, c.ctx)
    },
  },
  {
    name: 'orders revisions by number: v10 after v9',
    async run(c) {
      for (const version of [10, 2, 9, 1, 11]) await c.store.create(record(c, { version }), c.ctx)
      const history = await c.store.history(c.name, c.namespace, c.ctx)
      assert.deepEqual(
        history.map(({ version }) => version),
        [1, 2, 9, 10, 11],
      )
    },
  },
  {
    name: 'lists the releases of one namespace and of all',
    async run(c) {
      const [first, second] = c.namespaces
      await c.store.create(record(c), c.ctx)
      await c.store.create(record(c, { namespace: second }), c.ctx)
      await c.store.create(record(c, { namespace: second, version: 2 }), c.ctx)
      const named = async (namespace?: string): Promise<string[]> =>
        (await c.store.list(namespace, c.ctx))
          .filter(({ name }) => name === c.name)
          .map((summary) => `${summary.namespace} v${summary.version}`)
      assert.deepEqual(await named(first), [`${first} v1`])
      assert.deepEqual(await named(second), [`${second} v1`, `${second} v2`])
      assert.deepEqual((await named()).toSorted(), [`${first} v1`, `${second} v1`, `${second} v2`].toSorted())
    },
  },
  {
    name: 'shows the labels of a release in lists and in its history',
    async run(c) {
      await c.store.create(record(c, { labels: { team: 'shop', 'example.com/tier': '' } }), c.ctx)
      await c.store.create(record(c, { version: 2, labels: {} }), c.ctx)
      const own = (await c.store.list(c.namespace, c.ctx)).filter(({ name }) => name === c.name)
      for (const shown of [own, await c.store.history(c.name, c.namespace, c.ctx)]) {
        assert.deepEqual(
          shown.map(({ labels }) => labels),
          [{ team: 'shop', 'example.com/tier': '' }, undefined],
        )
      }
    },
  },
  {
    name: 'does not take one release for another whose name begins alike',
    async run(c) {
      await c.store.create(record(c), c.ctx)
      await c.store.create(record(c, { name: `${c.name}.v1` }), c.ctx)
      await c.store.create(record(c, { name: `${c.name}-b` }), c.ctx)
      const history = await c.store.history(c.name, c.namespace, c.ctx)
      assert.deepEqual(
        history.map(({ name, version }) => [name, version]),
        [[c.name, 1]],
      )
    },
  },
  {
    name: 'takes names of 53 characters with dots and dashes',
    async run(c) {
      const name = `${c.name}.a-b.${'x'.repeat(60)}`.slice(0, 53)
      const long = record(c, { name })
      await c.store.create(long, c.ctx)
      assertSame((await c.store.get(long, c.ctx))?.record, long)
      const [summary] = await c.store.history(name, c.namespace, c.ctx)
      assert.equal(summary?.name, name)
    },
  },
  {
    name: 'refuses names that lead elsewhere',
    async run(c) {
      for (const name of ['../other', 'a/b', '', '.', 'UPPER', 'a..b', '-a', 'a\0b']) {
        await assertCode(c.store.create(record(c, { name }), c.ctx), 'usage.invalid')
        await assertCode(c.store.get({ ...record(c), name }, c.ctx), 'usage.invalid')
      }
      await assertCode(c.store.create(record(c, { namespace: '..' }), c.ctx), 'usage.invalid')
      await assertCode(c.store.create(record(c, { version: 0 }), c.ctx), 'usage.invalid')
    },
  },
  {
    name: 'reports a record that cannot be read, lists it, and does not touch it',
    async run(c) {
      const good = record(c, { version: 2 })
      await c.store.create(record(c), c.ctx)
      await c.store.create(good, c.ctx)
      await c.damage(record(c))
      await assertCode(c.store.get(record(c), c.ctx), 'release.unreadable')
      await assertCode(c.store.create(record(c), c.ctx), 'release.exists')
      await assertCode(c.store.get(record(c), c.ctx), 'release.unreadable')
      assertSame((await c.store.get(good, c.ctx))?.record, good)
      const history = await c.store.history(c.name, c.namespace, c.ctx)
      assert.deepEqual(
        history.map(({ version }) => version),
        [1, 2],
      )
    },
  },
]

import assert from 'node:assert/strict'
import { type ErrorCode, isLadingError } from '../../core/index.ts'
import type { AdapterContractCase } from './adapter-contract.ts'
import { waitForStatus } from './wait-for-status.ts'

/** Asserts that a call is refused with a code. */
export async function refusedWith(code: ErrorCode, call: Promise<unknown>, message = /./): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(isLadingError(error, code), `expected ${code}, got ${String(error)}`)
  assert.match(error.message, message)
}

/** What holds for single deployments. */
export const lifecycleCases: readonly AdapterContractCase[] = [
  {
    name: 'is created, becomes deployed, is read by its id and by its name, and is gone after its deletion',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const name = c.name(`life-${index}`)
        const { deployment } = await c.adapter.create(sample.request(name), {}, c.ctx)
        assert.equal(deployment.name, name)
        assert.deepEqual(
          (await c.adapter.get(deployment.id, c.ctx)).id,
          deployment.id,
          'what was written is read at once',
        )
        assert.equal((await c.adapter.get(name, c.ctx)).id, deployment.id)
        const { progress } = await waitForStatus(c, deployment.id, 'deployed')
        assert.equal(progress, 100)
        await c.adapter.delete(deployment.id, {}, c.ctx)
        const end = c.ctx.clock.now() + 60_000
        for (;;) {
          const found = await c.adapter.get(deployment.id, c.ctx).catch(() => undefined)
          if (found === undefined) break
          assert.ok(c.ctx.clock.now() < end, `${deployment.id} is still there`)
          await c.ctx.clock.sleep(20, c.ctx.signal)
        }
        await refusedWith(
          'deployment.not-found',
          c.adapter.get(name, c.ctx),
          new RegExp(`^deployment not found: ${name}$`),
        )
      }
    },
  },
  {
    name: 'that is not there is not found, whatever is asked of it',
    async run(c) {
      const { adapter, ctx } = c
      const id = c.name('nowhere')
      for (const call of [
        adapter.get(id, ctx),
        adapter.update(id, {}, {}, ctx),
        adapter.delete(id, {}, ctx),
        adapter.scale(id, 1, {}, ctx),
        adapter.rollback(id, 1, {}, ctx),
        adapter.suspend(id, {}, ctx),
        adapter.resume(id, {}, ctx),
        adapter.reconcile(id, ctx),
        adapter.status(id, ctx),
        adapter.history(id, ctx),
      ]) {
        await refusedWith('deployment.not-found', call, /deployment not found: /)
      }
      await refusedWith('deployment.not-found', adapter.get('../../secrets', ctx))
    },
  },
  {
    name: 'that exists is not created again, and one that makes no sense not at all',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const name = c.name(`twice-${index}`)
        await c.adapter.create(sample.request(name), {}, c.ctx)
        await refusedWith('deployment.exists', c.adapter.create(sample.request(name), {}, c.ctx))
        await refusedWith(
          'deployment.invalid',
          c.adapter.create(sample.refused.request, {}, c.ctx),
          sample.refused.message,
        )
        const badName = { ...sample.request(name), name: 'Not A Name' }
        await refusedWith('deployment.invalid', c.adapter.create(badName, {}, c.ctx), /invalid resource name/)
      }
    },
  },
  {
    name: 'of two kinds with one name does not collide; the bare name is refused with both ids',
    async run(c) {
      if (c.samples.length < 2) return
      const name = c.name('same')
      const ids: string[] = []
      for (const sample of c.samples) ids.push((await c.adapter.create(sample.request(name), {}, c.ctx)).deployment.id)
      assert.equal(new Set(ids).size, c.samples.length)
      await refusedWith('deployment.ambiguous', c.adapter.get(name, c.ctx), new RegExp(ids[0]!))
      for (const id of ids) assert.equal((await c.adapter.get(id, c.ctx)).id, id)
    },
  },
  {
    name: 'is tried without being stored, and the answer says what would change',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const name = c.name(`dry-${index}`)
        const tried = await c.adapter.create(sample.request(name), { dryRun: true }, c.ctx)
        assert.ok(tried.changes.length > 0)
        await refusedWith('deployment.not-found', c.adapter.get(name, c.ctx))
        const { deployment } = await c.adapter.create(sample.request(name), {}, c.ctx)
        const before = await c.adapter.history(deployment.id, c.ctx)
        const { changes } = await c.adapter.update(deployment.id, sample.updates[0], { dryRun: true }, c.ctx)
        assert.ok(changes.length > 0, 'an update says what it would change')
        const shown = sample.shows((await c.adapter.get(deployment.id, c.ctx)).extensions)
        assert.deepEqual(shown, sample.shows(deployment.extensions))
        assert.deepEqual(await c.adapter.history(deployment.id, c.ctx), before)
        await c.adapter.delete(deployment.id, { dryRun: true }, c.ctx)
        assert.equal((await c.adapter.get(deployment.id, c.ctx)).id, deployment.id)
      }
    },
  },
  {
    name: 'is updated only if it is still what the caller saw',
    async run(c) {
      const [sample] = c.samples
      const { deployment } = await c.adapter.create(sample!.request(c.name('match')), {}, c.ctx)
      await waitForStatus(c, deployment.id, 'deployed')
      const { etag } = await c.adapter.get(deployment.id, c.ctx)
      const written = await c.adapter.update(deployment.id, sample!.updates[0], { ifMatch: etag }, c.ctx)
      assert.notEqual(written.deployment.etag, etag)
      await refusedWith('kube.conflict', c.adapter.update(deployment.id, sample!.updates[1], { ifMatch: etag }, c.ctx))
    },
  },
  {
    name: 'is suspended and resumed, and its state stays beside that',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const { deployment } = await c.adapter.create(sample.request(c.name(`pause-${index}`)), {}, c.ctx)
        await waitForStatus(c, deployment.id, 'deployed')
        await c.adapter.suspend(deployment.id, {}, c.ctx)
        assert.equal((await c.adapter.get(deployment.id, c.ctx)).suspended, true)
        await c.adapter.resume(deployment.id, {}, c.ctx)
        assert.equal((await c.adapter.get(deployment.id, c.ctx)).suspended, false)
        await waitForStatus(c, deployment.id, 'deployed')
        await c.adapter.reconcile(deployment.id, c.ctx)
        await waitForStatus(c, deployment.id, 'deployed')
      }
    },
  },
  {
    name: 'is scaled to any number from 0 on where there is something to scale, and refused otherwise',
    async run(c) {
      for (const [index, sample] of c.samples.entries()) {
        const { deployment } = await c.adapter.create(sample.request(c.name(`scale-${index}`)), {}, c.ctx)
        await refusedWith(
          'deployment.invalid',
          c.adapter.scale(deployment.id, -1, {}, c.ctx),
          /replicas must be non-negative/,
        )
        const scaled = c.adapter.scale(deployment.id, 0, {}, c.ctx)
        if (sample.scalable) assert.ok((await scaled).changes.length > 0)
        else await refusedWith('deployment.not-scalable', scaled)
      }
    },
  },
]

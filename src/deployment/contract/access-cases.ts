import assert from 'node:assert/strict'
import { LadingError } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import type { DeploymentAdapter } from '../adapter.ts'
import type { AdapterCase, AdapterContractCase } from './adapter-contract.ts'
import { refusedWith } from './lifecycle-cases.ts'
import { waitForStatus } from './wait-for-status.ts'

/** What holds for views of single callers. */
export const accessCases: readonly AdapterContractCase[] = [
  {
    name: 'hides what the caller may not list or get from lists, totals and every call',
    async run(c) {
      const label = { 'example.com/hidden': c.name('label') }
      const blind = c.adapter.as({ cluster: c.cluster, may: async () => false })
      for (const [index, sample] of c.samples.entries()) {
        const request = { ...sample.request(c.name(`hidden-${index}`)), labels: label }
        const { deployment } = await c.adapter.create(request, {}, c.ctx)
        const page = await blind.list({}, c.ctx)
        assert.deepEqual([page.items, page.total, page.next], [[], 0, undefined])
        assert.equal((await blind.list({ labels: label }, c.ctx)).total, 0)
        for (const id of [deployment.id, deployment.name]) {
          for (const call of everyCall(blind, id, c)) await refusedWith('deployment.not-found', call, new RegExp(id))
        }
        assert.equal((await blind.listPackages({}, c.ctx)).total, 0)
        assert.equal((await c.adapter.get(deployment.id, c.ctx)).id, deployment.id)
      }
    },
  },
  {
    name: 'hides only what the caller may not see, whichever right says so',
    async run(c) {
      const label = { 'example.com/seen': c.name('label') }
      const request = { ...c.samples[0]!.request(c.name('seen')), labels: label }
      const { deployment } = await c.adapter.create(request, {}, c.ctx)
      const asked: string[] = []
      const lister = c.adapter.as({
        cluster: c.cluster,
        async may(verb, { resource }, namespace) {
          asked.push(`${verb} ${resource} ${namespace}`)
          return verb === 'list' && namespace !== ''
        },
      })
      const ids = (await lister.list({ labels: label }, c.ctx)).items.map(({ id }) => id)
      assert.deepEqual(ids, [deployment.id])
      await refusedWith('deployment.not-found', lister.get(deployment.id, c.ctx))
      assert.ok(
        asked.some((question) => /^list \S+ \S+$/.test(question)),
        asked.join(),
      )
      const getter = c.adapter.as({ cluster: c.cluster, may: async (verb) => verb === 'get' })
      assert.equal((await getter.get(deployment.name, c.ctx)).id, deployment.id)
      assert.equal((await getter.list({ labels: label }, c.ctx)).total, 0)
    },
  },
  {
    name: 'writes as the caller, and closes nothing of the others',
    async run(c) {
      const [sample] = c.samples
      const request = sample!.request(c.name('caller'))
      const refused = c.adapter.as({ cluster: withoutWrites(c.cluster), may: async () => true })
      await refusedWith('kube.forbidden', refused.create(request, {}, c.ctx))
      await refusedWith('deployment.not-found', c.adapter.get(request.name, c.ctx))
      const caller = c.adapter.as({ cluster: c.cluster, may: async () => true })
      const { deployment } = await caller.create(request, {}, c.ctx)
      await waitForStatus({ ...c, adapter: caller }, deployment.id, 'deployed')
      await refusedWith('kube.forbidden', refused.update(deployment.id, sample!.updates[0], {}, c.ctx))
      await refusedWith('kube.forbidden', refused.delete(deployment.id, {}, c.ctx))
      await caller.close()
      assert.equal((await c.adapter.get(deployment.id, c.ctx)).id, deployment.id)
    },
  },
]

function everyCall(adapter: DeploymentAdapter, id: string, { ctx }: AdapterCase): Promise<unknown>[] {
  const calls: (() => Promise<unknown>)[] = [
    () => adapter.get(id, ctx),
    () => adapter.status(id, ctx),
    () => adapter.history(id, ctx),
    () => Array.fromAsync(adapter.logs(id, {}, ctx)),
    () => adapter.update(id, {}, {}, ctx),
    () => adapter.scale(id, 1, {}, ctx),
    () => adapter.rollback(id, 0, {}, ctx),
    () => adapter.suspend(id, {}, ctx),
    () => adapter.resume(id, {}, ctx),
    () => adapter.reconcile(id, ctx),
    () => adapter.delete(id, {}, ctx),
  ]
  return calls.map((call) => {
    const result = call()
    // Awaited one by one: a refusal that comes early is no unhandled one.
    result.catch(() => undefined)
    return result
  })
}

/** The cluster for somebody who may only read. */
function withoutWrites(cluster: Cluster): Cluster {
  const { transport } = cluster
  return {
    ...cluster,
    transport: {
      server: transport.server,
      identity: `${transport.identity}/reader`,
      stream: (request, ctx) => transport.stream(request, ctx),
      close: async () => undefined,
      async request(request, ctx) {
        if (request.method === 'GET' || request.query?.['dryRun'] === 'All') return transport.request(request, ctx)
        throw new LadingError('kube.forbidden', `${request.method} ${request.path} is forbidden`, { status: 403 })
      },
    },
  }
}

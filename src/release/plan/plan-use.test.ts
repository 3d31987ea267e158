import { expect, test } from 'vitest'
import { context, type KubeObject, LadingError, manualClock } from '../../core/index.ts'
import { createObject, listObjects } from '../../kube/index.ts'
import { planHash } from './plan-hash.ts'
import { planUninstall } from './plan-uninstall.ts'
import { apply } from '../run/apply.ts'
import { savePlan } from './save-plan.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'

const sandbox = sandboxReleases()
const start = Date.UTC(2026, 0, 1)
const day = 86_400_000

function config(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: '1' } }
}

/** A release that is there, and plans to uninstall it that are made and applied at a given time. */
async function installed() {
  const release = await sandbox.make()
  await release.install([config('a')])
  const { engine } = release
  const at = (now: number) => context({ clock: manualClock(now) })
  return {
    engine,
    namespace: release.namespace,
    install: () => release.install([config('a')]),
    find: (name: string) => release.find(name),
    statuses: () => release.statuses(),
    plan: async (now: number, lifetimeMs?: number) => {
      const made = await planUninstall(engine, release.release, {}, at(now))
      return savePlan(engine, made, { lifetimeMs }, at(now))
    },
    apply: (saved: Awaited<ReturnType<typeof savePlan>>, now: number) => apply(engine, saved, { wait: false }, at(now)),
    marks: async () => {
      const gvk = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
      const { items } = await listObjects(engine.cluster, { gvk, namespace: release.namespace }, context())
      return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('lading-plan.'))
    },
  }
}

test('a plan is refused from the moment at which it expires, by the clock of whoever applies it', async () => {
  const { plan, apply, find } = await installed()
  const saved = await plan(start)
  await expect(apply(saved, start + day)).rejects.toMatchObject({
    code: 'plan.expired',
    message: expect.stringContaining('expired at 2026-01-02T00:00:00.000Z') as unknown,
  })
  expect(await find('a')).toBeDefined()
  expect(await apply(saved, start + day - 1)).toMatchObject({ outcome: 'uninstalled' })
})

test('a plan that was applied is remembered until nobody can apply it any more', async () => {
  const { plan, apply, install, marks } = await installed()
  const first = await plan(start, 60_000)
  await apply(first, start)
  expect(await marks()).toEqual([`lading-plan.${first.nonce}`])
  await install()
  await expect(apply(first, start + 1)).rejects.toMatchObject({ code: 'plan.used' })
  const second = await plan(start + 3_600_000)
  await apply(second, start + 3_600_000)
  // A clock that is an hour behind could still take the first one for valid.
  expect((await marks()).length).toBe(2)
  await install()
  const third = await plan(start + 3_720_000)
  await apply(third, start + 3_720_000)
  expect((await marks()).sort()).toEqual([second, third].map(({ nonce }) => `lading-plan.${nonce}`).sort())
})

test('two plans of the same change are two plans, and what is left out of a hash is only secret', async () => {
  const { plan } = await installed()
  const [one, two] = [await plan(start), await plan(start)]
  expect(planHash(one)).not.toBe(planHash(two))
  expect(planHash({ ...two, nonce: one.nonce })).toBe(planHash(one))
  expect(planHash({ ...one, key: 'other', signatures: ['other'] })).toBe(planHash(one))
  expect(planHash({ ...one, inputs: { options: { takeOwnership: true } } })).not.toBe(planHash(one))
})

test('a plan whose use may not be remembered is refused before anything is written', async () => {
  const { engine, plan, find, statuses } = await installed()
  const saved = await plan(start)
  const { transport, discovery } = engine.cluster
  const cluster = {
    discovery,
    transport: {
      ...transport,
      server: transport.server,
      identity: transport.identity,
      close: () => Promise.resolve(),
      stream: transport.stream.bind(transport),
      request: (...[request, ctx]: Parameters<typeof transport.request>) => {
        const name = (request.body as KubeObject | undefined)?.metadata?.name ?? ''
        if (request.method === 'POST' && name.startsWith('lading-plan.')) {
          throw new LadingError('kube.forbidden', 'leases is forbidden')
        }
        return transport.request(request, ctx)
      },
    },
  }
  const ctx = context({ clock: manualClock(start) })
  await expect(apply({ ...engine, cluster }, saved, {}, ctx)).rejects.toMatchObject({
    code: 'kube.forbidden',
    message: expect.stringContaining('cannot be remembered') as unknown,
  })
  expect(await find('a')).toBeDefined()
  expect(await statuses()).toEqual(['deployed'])
})

test('a plan for a namespace that was deleted and created again is stale', async () => {
  const { plan, apply, engine, namespace } = await installed()
  const saved = await plan(start)
  const other: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${namespace}-2` } }
  const { metadata } = await createObject(engine.cluster, other, {}, context())
  await expect(apply({ ...saved, namespaceUid: metadata.uid ?? '' }, start)).rejects.toMatchObject({
    code: 'plan.stale',
    message: expect.stringContaining('was deleted and created since it was made') as unknown,
  })
})

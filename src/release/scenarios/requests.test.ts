import { describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { planInstall } from '../plan/plan-operations.ts'
import type { Cluster, KubeRequest } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { install, upgrade } from '../run/operations.ts'
import { createStore } from '../storage/create-store.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()
const count = 60

describe('the requests of an operation on many objects', () => {
  const releases = sandboxReleases()

  it('are one write for each object of an install, and few others', async () => {
    const { shop, engine, sent } = await counted()
    const { outcome } = await finish(install(engine, shop.content(...objects('1')), {}, ctx))
    expect(outcome).toBe('deployed')
    expect(sent.writes()).toBe(count)
    expect(sent.dryRuns()).toBeLessThanOrEqual(kinds)
    expect(sent.others()).toBeLessThanOrEqual(40)
  })

  it.each(['secrets', 'helm'] as const)(
    'are one write for each object of an upgrade kept in %s, and few others',
    async (driver) => {
      const { shop, engine, sent } = await counted(driver)
      await finish(install(engine, shop.content(...objects('1')), {}, ctx))
      sent.clear()
      const { plan } = await finish(upgrade(engine, shop.content(...objects('2')), {}, ctx))
      expect(plan.actions.every(({ action, changes = [] }) => action === 'update' && changes.length > 0)).toBe(true)
      expect(sent.writes()).toBe(count)
      expect(sent.dryRuns()).toBeLessThanOrEqual(kinds)
      expect(sent.others()).toBeLessThanOrEqual(50)
    },
  )

  it('are LISTs alone when nothing changed, with one look at the record', async () => {
    const { shop, engine, sent } = await counted()
    await finish(install(engine, shop.content(...objects('1')), {}, ctx))
    sent.clear()
    const { outcome } = await finish(upgrade(engine, shop.content(...objects('1')), {}, ctx))
    expect(outcome).toBe('unchanged')
    expect(sent.all.map(({ method }) => method)).toEqual(sent.all.map(() => 'GET'))
    // The history, the record, the lock, and one for each kind.
    expect(sent.all.length).toBeLessThanOrEqual(kinds + 3)
  })

  it('ask about every object where the plan is what is wanted', async () => {
    const { shop, engine, sent } = await counted()
    const plan = await planInstall(engine, shop.content(...objects('1')), {}, ctx)
    expect(plan.actions).toHaveLength(count)
    expect(sent.dryRuns()).toBe(count)
    expect(sent.writes()).toBe(0)
  })

  it('write nothing when one of many objects is wrong', async () => {
    const { shop, engine, sent } = await counted()
    const wrong = { ...config('Wrong_Name', '1'), data: { 'not a key': 'x' } }
    const failing = finish(install(engine, shop.content(...objects('1'), wrong), {}, ctx))
    await expect(failing).rejects.toMatchObject({ code: 'apply.failed' })
    expect(sent.writes()).toBe(0)
    expect(await shop.statuses()).toEqual([])
  })

  it('ask about what others have taken, and write nothing then', async () => {
    const { shop, engine, sent } = await counted()
    await finish(
      install(
        shop.engine,
        { ...shop.content(config('configmap-3', 'theirs')), release: { ...shop.release, name: 'other' } },
        {},
        ctx,
      ),
    )
    const failing = finish(install(engine, shop.content(...objects('1')), {}, ctx))
    await expect(failing).rejects.toThrow('configmap-3')
    expect(sent.writes()).toBe(0)
  })

  it('are one deletion for each object of an uninstall, and few others', async () => {
    const { shop, engine, sent } = await counted()
    await finish(install(engine, shop.content(...objects('1')), {}, ctx))
    sent.clear()
    await finish(uninstall(engine, shop.release, {}, ctx))
    const deletions = sent.all.filter(({ method }) => method === 'DELETE')
    // The lock and the record go too.
    expect(deletions).toHaveLength(count + 2)
    // One list of each usual kind finds what stands in no revision.
    expect(sent.all.length - deletions.length).toBeLessThanOrEqual(kinds + 20 + 16)
  })

  async function counted(
    driver: 'secrets' | 'helm' = 'secrets',
  ): Promise<{ shop: SandboxRelease; engine: ReleaseEngine; sent: Sent }> {
    const shop = await releases.make({ driver })
    const sent = new Sent()
    const cluster = sent.over(shop.cluster)
    return { shop, engine: { cluster, store: createStore({ driver }, cluster) }, sent }
  }
})

/** What an operation asked of the API server. */
class Sent {
  readonly all: KubeRequest[] = []

  over({ discovery, transport }: Cluster): Cluster {
    return {
      discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        request: (request, inner) => {
          this.all.push(request)
          return transport.request(request, inner)
        },
        stream: (request, inner) => transport.stream(request, inner),
        close: () => transport.close(),
      },
    }
  }

  dryRuns(): number {
    return this.all.filter(({ query }) => query?.['dryRun'] !== undefined).length
  }

  writes(): number {
    return this.all.filter(({ method, query }) => method === 'PATCH' && query?.['dryRun'] === undefined).length
  }

  others(): number {
    return this.all.length - this.writes() - this.dryRuns()
  }

  clear(): void {
    this.all.length = 0
  }
}

const kinds = 3

/** ConfigMaps, Secrets and ServiceAccounts. */
function objects(value: string): KubeObject[] {
  return Array.from({ length: count / kinds }, (_, at) => [
    config(`configmap-${at}`, value),
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: `secret-${at}` }, stringData: { value } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: `account-${at}`, labels: { value } } },
  ]).flat()
}

function config(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
}

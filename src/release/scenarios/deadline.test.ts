import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type ManualClock, manualClock, withinDeadline } from '../../core/index.ts'
import { type Cluster, createObject, getObject } from '../../kube/index.ts'
import { correctDrift } from '../run/correct-drift.ts'
import { drift } from '../diff/drift.ts'
import { leaseRef } from '../lock/lease.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import { recover } from '../run/recover.ts'
import { renderContent } from '../source/render-content.ts'
import { config } from '../testdata/release-objects.ts'
import { finish, sandboxReleases, type SandboxRelease } from '../testdata/sandbox-releases.ts'
import { testRelease } from '../run/test-release.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()

describe('the time limit of an operation', () => {
  const releases = sandboxReleases()

  it('covers the wait for a lock that claims to hold for 68 years, whatever the operation', async () => {
    const shop = await releases.make()
    const { engine, release, namespace } = shop
    await shop.install([config('a', '1')])
    await shop.upgrade([config('a', '2')])
    await shop.patch('a', { data: { value: 'drifted' } })
    const found = await drift(engine, release, {}, ctx)
    const limit = { timeoutMs: 30_000 }
    const operations = [
      (timed: typeof ctx) => upgrade(engine, shop.content(config('a', '3')), limit, timed),
      (timed: typeof ctx) => rollback(engine, release, 1, limit, timed),
      (timed: typeof ctx) => testRelease(engine, release, limit, timed),
      (timed: typeof ctx) => correctDrift(engine, found, limit, timed),
      (timed: typeof ctx) => uninstall(engine, release, limit, timed),
    ]
    await createObject(shop.cluster, heldLease(shop), {}, ctx)
    for (const operation of operations) {
      const clock = watchedClock()
      const work = finish<object>(operation(context({ clock })))
      const ended = failureOf(work)
      await clock.untilSleeping((ms) => ms === 1000)
      await clock.advance(30_000)
      expect(await ended).toMatchObject({
        code: 'timeout',
        message: `timed out after 30 s while waiting for the lock of release ${namespace}/shop, held by elsewhere/1/x`,
      })
    }
    expect(await shop.statuses()).toEqual(['superseded', 'deployed'])
  })

  it('has an end for recovering a release too, where no limit is given', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1')])
    await createObject(shop.cluster, heldLease(shop), {}, ctx)
    const clock = watchedClock()
    const ended = failureOf(finish(recover(shop.engine, shop.release, context({ clock }))))
    await clock.untilSleeping((ms) => ms === 1000)
    await clock.advance(300_000)
    expect(await ended).toMatchObject({
      code: 'timeout',
    })
  })

  it('covers a write that the API server does not answer; the revision is marked, the lock released, and atomic goes back', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1'), config('b', '1')])
    const clock = watchedClock()
    const stuck = stuckAt(shop.cluster, '/configmaps/b')
    const engine = { ...shop.engine, cluster: stuck.cluster }
    const content = shop.content(config('a', '2'), config('b', '2'))
    const work = finish(upgrade(engine, content, { timeoutMs: 20_000, atomic: true }, context({ clock })))
    const ended = failureOf(work)
    await stuck.asked
    await clock.advance(20_000)
    expect(await ended).toMatchObject({
      code: 'release.failed',
      message: expect.stringMatching(
        /failed as revision 2: timed out after 20 s while applying objects; the release is back at revision 1$/,
      ),
      details: { code: 'timeout', revision: 2 },
    })
    expect(await shop.statuses()).toEqual(['superseded', 'failed', 'deployed'])
    expect(await shop.find('a')).toMatchObject({ data: { value: '1' } })
    expect(await getObject(shop.cluster, leaseRef('shop', shop.namespace), ctx)).toBeUndefined()
  })

  it('covers a registry that sends one byte after another', async () => {
    const shop = await releases.make()
    const registry = await drippingRegistry()
    const clock = watchedClock()
    try {
      const source = `oci://127.0.0.1:${registry.port}/charts/shop:1.0.0`
      const reading = { artifacts: { registry: { plainHttp: true } } }
      const work = withinDeadline(30_000, context({ clock }), async (timed) => {
        const content = await renderContent(shop.engine.store, shop.release, { source }, reading, timed)
        return await finish(install(shop.engine, content, {}, timed))
      })
      const ended = failureOf(work)
      for (let second = 0; second < 30; second++) {
        await registry.drip()
        await clock.advance(1000)
      }
      expect(await ended).toMatchObject({
        code: 'timeout',
        message: `timed out after 30 s while fetching ${source}`,
      })
    } finally {
      await registry.stop()
    }
  })

  it('is one limit for all that work does, however many operations it is made of', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1')])
    const clock = watchedClock()
    const work = withinDeadline(10_000, context({ clock }), async (timed) => {
      await clock.sleep(6_000, timed.signal)
      await createObject(shop.cluster, heldLease(shop), {}, ctx)
      await finish(upgrade(shop.engine, shop.content(config('a', '2')), { timeoutMs: 10_000 }, timed))
    })
    const ended = failureOf(work)
    await clock.advance(6_000)
    await clock.untilSleeping((ms) => ms === 1000)
    await clock.advance(4_000)
    expect(await ended).toMatchObject({ message: expect.stringMatching(/^timed out after 10 s while/) })
  })
})

/** A clock that stands still and tells when somebody goes to sleep for a time that fits. */
function watchedClock(): ManualClock & { untilSleeping(fits: (ms: number) => boolean): Promise<void> } {
  const clock = manualClock()
  const asleep: number[] = []
  return {
    ...clock,
    get sleeping() {
      return clock.sleeping
    },
    sleep: (ms, signal) => {
      asleep.push(ms)
      return clock.sleep(ms, signal)
    },
    untilSleeping: async (fits) => {
      while (!asleep.some(fits)) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A Lease whose holder does not renew it, and claims to have it for 68 years. */
function heldLease({ namespace }: SandboxRelease): KubeObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'lading.shop', namespace },
    spec: {
      holderIdentity: 'elsewhere/1/x',
      leaseDurationSeconds: 2_147_483_647,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  }
}

/** A connection on which the first write to a path is never answered. */
function stuckAt(cluster: Cluster, path: string): { readonly cluster: Cluster; readonly asked: Promise<void> } {
  const asked = Promise.withResolvers<void>()
  let stuck = false
  const { transport } = cluster
  return {
    asked: asked.promise,
    cluster: {
      discovery: cluster.discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        close: () => transport.close(),
        stream: (request, own) => transport.stream(request, own),
        request: async (request, own) => {
          if (
            stuck ||
            !request.path.endsWith(path) ||
            request.method === 'GET' ||
            request.query?.['dryRun'] !== undefined
          )
            return transport.request(request, own)
          stuck = true
          asked.resolve()
          return new Promise((_, reject) => {
            own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true })
          })
        },
      },
    },
  }
}

interface DrippingRegistry {
  readonly port: number
  /** Sends the next byte, once somebody has asked for the manifest. */
  drip(): Promise<void>
  stop(): Promise<void>
}

async function drippingRegistry(): Promise<DrippingRegistry> {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.oci.image.manifest.v1+json', 'content-length': 4000 })
    if (request.method === 'HEAD') return response.end()
    response.flushHeaders()
    asked.resolve(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    drip: async () => {
      const response = await asked.promise
      await new Promise<void>((resolve) => response.write(' ', () => resolve()))
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What a promise is rejected with; listened to from the start. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

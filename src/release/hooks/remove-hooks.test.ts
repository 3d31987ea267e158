import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { getObject } from '../../kube/index.ts'
import { install, upgrade } from '../run/operations.ts'
import { recover } from '../run/recover.ts'
import { createStore } from '../storage/create-store.ts'
import { dyingCluster } from '../testdata/dying-cluster.ts'
import { config, hook, shopCrd } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { testRelease } from '../run/test-release.ts'
import { holderOf } from '../lock/lock-holder.ts'

const ctx = context()

describe('hooks with a delete policy', () => {
  const releases = sandboxReleases()

  it('are removed after the whole phase, in reverse, so that a later hook finds what an earlier one brought', async () => {
    const shop = await releases.make()
    const objects = [account('pre-install'), job('create', 'pre-install', 'hook-succeeded'), config('a', '1')]
    const found: unknown[] = []
    const events = await follow(install(shop.engine, shop.content(...objects), {}, ctx), async (event) => {
      if (event.type === 'hook' && event.ref.name === 'create' && event.status === 'succeeded') {
        found.push((await shop.find('account'))?.metadata.name)
      }
    })
    expect(found).toEqual(['account'])
    expect(story(events)).toEqual([
      'account started',
      'account succeeded',
      'create started',
      'create succeeded',
      'create deleted',
      'account deleted',
    ])
    expect([await shop.find('account'), await shop.find('create', 'Job', 'batch')]).toEqual([undefined, undefined])
  })

  it('are removed when a later hook fails: those that succeeded by hook-succeeded, the failed one by hook-failed', async () => {
    const shop = await releases.make()
    const kept = job('kept', 'pre-install', 'hook-failed', { weight: '-1' })
    const events: LadingEvent[] = []
    const failing = job('create', 'pre-install', 'hook-failed', { simulate: 'job-fail' })
    const operation = install(shop.engine, shop.content(account('pre-install'), kept, failing), {}, ctx)
    await expect(collect(operation, events)).rejects.toMatchObject({ details: { code: 'hook.failed' } })
    expect(story(events).slice(-3)).toEqual(['create failed', 'create deleted', 'account deleted'])
    expect(await names(shop)).toEqual(['kept'])
  })

  it('stay after a failure that their policy does not name', async () => {
    const shop = await releases.make()
    const failing = job('create', 'pre-install', 'hook-succeeded', { simulate: 'job-fail' })
    await expect(shop.install([account('pre-install'), failing])).rejects.toMatchObject({ code: 'release.failed' })
    expect(await names(shop)).toEqual(['create'])
  })

  it('are on record as failed or succeeded after a failure, as with Helm', async () => {
    const shop = await releases.make()
    const failing = job('create', 'pre-install', 'hook-succeeded', { simulate: 'job-fail' })
    await expect(shop.install([account('pre-install'), failing])).rejects.toMatchObject({ code: 'release.failed' })
    const stored = await shop.engine.store.get({ ...shop.release, version: 1 }, ctx)
    expect(stored?.record.hooks.map(({ object, lastRun }) => [object.metadata.name, lastRun?.phase])).toEqual([
      ['account', 'Succeeded'],
      ['create', 'Failed'],
    ])
  })

  it('of tests are removed after the last test', async () => {
    const shop = await releases.make()
    await shop.install([account('test'), job('try', 'test', 'hook-succeeded'), config('a', '1')])
    const { passed, events } = await finish(testRelease(shop.engine, shop.release, {}, ctx))
    expect(passed).toBe(true)
    expect(story(events).slice(-3)).toEqual(['try succeeded', 'try deleted', 'account deleted'])
  })

  it('are removed when the operation is cancelled while a later hook runs', async () => {
    const shop = await releases.make()
    const stop = new AbortController()
    const slow = job('slow', 'pre-install', 'hook-failed', { delay: '1h' })
    const operation = install(
      shop.engine,
      shop.content(account('pre-install'), slow),
      {},
      { ...ctx, signal: stop.signal },
    )
    const running = shop.appears('slow', 'Job', 'batch').then(() => stop.abort())
    await expect(collect(operation, [])).rejects.toMatchObject({ code: 'cancelled' })
    await running
    expect(await names(shop)).toEqual([])
  })

  it('are never removed when they are CRDs, for all objects of their kinds would go with them', async () => {
    const shop = await releases.make()
    const crd = shopCrd(`${shop.namespace}.example`, ['v1'], { 'helm.sh/hook': 'pre-install,pre-upgrade' })
    const always = { 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded,hook-failed' }
    const hooked = { ...crd, metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, ...always } } }
    await shop.install([hooked, config('a', '1')])
    const ref = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      name: crd.metadata.name,
    }
    const uid = async () => (await getObject(shop.cluster, ref, ctx))?.metadata.uid
    const first = await uid()
    expect(first).toBeDefined()
    await shop.upgrade([hooked, config('a', '2')])
    expect(await uid()).toBe(first)
  })

  it.each(['secrets', 'helm'] as const)(
    'leave nothing behind after a crash, at whatever write: recovering (%s) removes them',
    async (driver) => {
      const left = async (n: number): Promise<{ died: boolean; names: string[] }> => {
        const shop = await releases.make({ driver })
        await shop.install([config('a', '1')])
        const dying = dyingCluster(shop.cluster, n, 'after the write')
        const cluster = { ...shop.cluster, ...dying.cluster }
        const engine = {
          cluster,
          store: createStore({ driver }, cluster),
          lock: { holder: holderOf(999_999_999) },
        }
        const content = shop.content(
          account('pre-upgrade'),
          job('create', 'pre-upgrade', 'hook-succeeded,hook-failed'),
          config('a', '2'),
        )
        await collect(upgrade(engine, content, {}, ctx), []).catch(() => undefined)
        if (dying.died()) await finish(recover(shop.engine, shop.release, ctx))
        return { died: dying.died(), names: await names(shop) }
      }
      for (let n = 1; ; n += 1) {
        const { died, names } = await left(n)
        expect([n, names]).toEqual([n, []])
        if (!died) break
      }
    },
  )
})

/** What a later hook needs: there once it is applied, and removed after the phase. */
function account(phases: string): KubeObject {
  return config('account', '1', {
    'helm.sh/hook': phases,
    'helm.sh/hook-weight': '-5',
    'helm.sh/hook-delete-policy': 'hook-succeeded',
  })
}

function job(
  name: string,
  phases: string,
  policies: string,
  { weight = '0', simulate, delay }: { weight?: string; simulate?: string; delay?: string } = {},
): KubeObject {
  return hook(name, phases, {
    annotations: { 'helm.sh/hook-weight': weight, 'helm.sh/hook-delete-policy': policies },
    simulate: { ...(simulate === undefined ? {} : { '': simulate }), ...(delay === undefined ? {} : { delay }) },
  })
}

/** The hooks that are there. */
async function names(shop: SandboxRelease): Promise<string[]> {
  const found = await Promise.all([
    shop.find('account'),
    ...['create', 'kept', 'slow'].map((name) => shop.find(name, 'Job', 'batch')),
  ])
  return found.flatMap((object) => (object === undefined ? [] : [object.metadata.name]))
}

function story(events: readonly LadingEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'hook' ? [`${event.ref.name} ${event.status}`] : []))
}

async function collect(operation: AsyncGenerator<LadingEvent, unknown>, events: LadingEvent[]): Promise<void> {
  for await (const event of operation) events.push(event)
}

async function follow(
  operation: AsyncGenerator<LadingEvent, unknown>,
  each: (event: LadingEvent) => Promise<void>,
): Promise<LadingEvent[]> {
  const events: LadingEvent[] = []
  for await (const event of operation) {
    events.push(event)
    await each(event)
  }
  return events
}

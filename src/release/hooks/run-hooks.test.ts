import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import { config, hook } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { testRelease } from '../run/test-release.ts'
import { uninstall } from '../run/uninstall.ts'

const ctx = context()

describe('hooks', () => {
  const releases = sandboxReleases()

  it('run at each of the nine phases, and at no other', async () => {
    const shop = await releases.make()
    const all = ['install', 'upgrade', 'rollback', 'delete'].flatMap((verb) => [`pre-${verb}`, `post-${verb}`])
    const hooks = [...all, 'test'].map((phase) => note(phase, phase))
    const told: string[] = []
    const run = async (operation: AsyncGenerator<LadingEvent, object>): Promise<void> => {
      told.push(...story((await finish(operation)).events))
    }
    await run(install(shop.engine, shop.content(config('a', '1'), ...hooks), {}, ctx))
    await run(testRelease(shop.engine, shop.release, {}, ctx))
    await run(upgrade(shop.engine, shop.content(config('a', '2'), ...hooks), {}, ctx))
    await run(rollback(shop.engine, shop.release, 1, {}, ctx))
    await run(uninstall(shop.engine, shop.release, {}, ctx))
    expect(told.join(', ')).toBe(
      'pre-install, a created, post-install, test, pre-upgrade, a configured, post-upgrade, ' +
        'pre-rollback, a configured, post-rollback, pre-delete, a deleted, post-delete',
    )
  })

  it('run by weight, then by name, one after the other, as the plan says before', async () => {
    const shop = await releases.make()
    const hooks = [note('b', 'pre-install'), note('late', 'pre-install', '5'), note('a', 'pre-install')]
    const objects = [...hooks, note('early', 'pre-install', '-5'), config('x', '1')]
    const { plan } = await shop.planInstall(objects)
    const planned = plan.hooks.map(({ phase, ref, weight }) => `${phase} ${ref.name} ${weight}`)
    expect(planned).toEqual(['pre-install early -5', 'pre-install a 0', 'pre-install b 0', 'pre-install late 5'])
    const { events } = await shop.install(objects)
    const order = events.flatMap((event) =>
      event.type === 'hook' && event.status !== 'deleted' ? [`${event.ref.name} ${event.status}`] : [],
    )
    expect(order).toEqual(['early', 'a', 'b', 'late'].flatMap((name) => [`${name} started`, `${name} succeeded`]))
  })

  it('do not run where none are wanted', async () => {
    const shop = await releases.make()
    const { events, plan } = await shop.install([failing('broken', 'pre-install'), config('a', '1')], { noHooks: true })
    expect([plan.hooks, events.filter((event) => event.type === 'hook')]).toEqual([[], []])
  })

  it('that fail are passed over where their policy is to continue', async () => {
    const shop = await releases.make()
    const broken = failing('broken', 'pre-install', { 'sherpack.io/hook-failure-policy': 'continue' })
    const { outcome, events, record } = await shop.install([broken, config('a', '1')])
    expect(outcome).toBe('deployed')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: expect.stringContaining('its policy is to continue') }),
    )
    expect(record?.hooks[0]?.lastRun?.phase).toBe('Failed')
  })

  it('that fail or take too long are named once in the error', async () => {
    const shop = await releases.make()
    const name = `pre-install hook Job.batch ${shop.namespace}/migrate failed:`
    const failing = hook('migrate', 'pre-install', { simulate: { '': 'job-fail' } })
    const slow = hook('migrate', 'pre-install', {
      annotations: { 'lading.dev/hook-timeout': '50ms' },
      simulate: { delay: '1h' },
    })
    const said = async (object: KubeObject): Promise<string> =>
      await shop.install([object]).then(String, (error: Error) => error.message)
    for (const message of [await said(failing), await said(slow)]) {
      expect(message).toContain(name)
      expect(message.split('/migrate')).toHaveLength(2)
    }
    expect(await said(slow)).toContain(`${name} it is not ready after`)
  })

  it('that fail bring the release back where their policy is to roll back', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1')])
    const broken = failing('broken', 'post-upgrade', { 'sherpack.io/hook-failure-policy': 'rollback' })
    await expect(shop.upgrade([config('a', '2'), broken])).rejects.toMatchObject({ code: 'release.failed' })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
    expect(await shop.statuses()).toEqual(['superseded', 'failed', 'deployed'])
  })

  it.each([
    ['retry(2)', {}, 3],
    ['retry', { 'sherpack.io/hook-retries': '1' }, 2],
  ])('that fail are tried again as often as %s and their retries say', async (policy, more, attempts) => {
    const shop = await releases.make()
    const broken = failing('broken', 'pre-install', { 'sherpack.io/hook-failure-policy': policy, ...more })
    const events: LadingEvent[] = []
    await expect(collect(shop, [broken, config('a', '1')], events)).rejects.toMatchObject({ code: 'release.failed' })
    const failures = events.filter((event) => event.type === 'hook' && event.status === 'failed')
    expect(failures).toHaveLength(attempts)
    expect(
      events.flatMap((event) => (event.type === 'hook' && event.status === 'retried' ? [event.message] : [])),
    ).toEqual(Array.from({ length: attempts - 1 }, (_, at) => `attempt ${at + 2} of ${attempts}`))
  })

  it('have a limit of their own', async () => {
    const shop = await releases.make()
    const slow = hook('slow', 'pre-install', {
      annotations: { 'sherpack.io/hook-timeout': '200ms' },
      simulate: { delay: '1h' },
    })
    await expect(shop.install([slow, config('a', '1')])).rejects.toMatchObject({ details: { code: 'hook.failed' } })
    expect(await shop.find('a')).toBeUndefined()
  })

  it('have their log told before they are removed', async () => {
    const shop = await releases.make()
    const talker = hook('talker', 'pre-install', {
      annotations: { 'helm.sh/hook-delete-policy': 'hook-succeeded' },
      simulate: { logs: 'one\ntwo' },
    })
    const { events } = await shop.install([talker, config('a', '1')])
    expect(events.flatMap((event) => (event.type === 'hook' ? [[event.status, event.log]] : []))).toEqual([
      ['started', undefined],
      ['succeeded', ['one', 'two']],
      ['deleted', undefined],
    ])
  })

  it('of any other kind are there once they are applied, and are replaced by the next run', async () => {
    const shop = await releases.make()
    await shop.install([note('settings', 'pre-install,pre-upgrade'), config('a', '1')])
    const first = await shop.find('settings')
    await shop.upgrade([note('settings', 'pre-install,pre-upgrade'), config('a', '2')])
    const second = await shop.find('settings')
    expect(first?.metadata.uid).toBeDefined()
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid)
  })

  it('of phases that Helm does not know are left out, as Helm leaves them, and that is told', async () => {
    const shop = await releases.make()
    const { events, record } = await shop.install([
      config('old', '1', { 'helm.sh/hook': 'crd-install' }),
      config('a', '1'),
    ])
    expect(events.filter((event) => event.type === 'warning')).toMatchObject([{ ref: { name: 'old' } }])
    expect([await shop.find('old'), record?.hooks]).toEqual([undefined, []])
  })

  it('stay when the release goes, for they are no part of it', async () => {
    const shop = await releases.make()
    await shop.install([note('settings', 'pre-install'), config('a', '1')])
    await shop.uninstall()
    expect([await shop.find('a'), (await shop.find('settings'))?.metadata.name]).toEqual([undefined, 'settings'])
  })
})

describe('a hook that the server would refuse', () => {
  const releases = sandboxReleases()

  const odd: KubeObject = { ...note('odd', 'post-install,post-upgrade'), nonsense: 1 }

  it('is known before anything is written', async () => {
    const shop = await releases.make()
    await expect(shop.install([config('a', '1'), odd])).rejects.toMatchObject({
      code: 'apply.failed',
      details: { failures: [{ ref: { name: 'odd' }, message: expect.stringContaining('nonsense') as string }] },
    })
    expect([await shop.find('a'), await shop.statuses()]).toEqual([undefined, []])
  })

  it('is marked in the plan', async () => {
    const shop = await releases.make()
    const { plan } = await shop.planInstall([config('a', '1'), odd, note('fine', 'pre-install')])
    expect(plan.hooks).toMatchObject([
      { ref: { name: 'fine' } },
      { ref: { name: 'odd' }, problem: expect.stringContaining('nonsense') as string },
    ])
    expect(plan.hooks[0]).not.toHaveProperty('problem')
  })

  it('does not matter when it is not to run', async () => {
    const shop = await releases.make()
    expect((await shop.install([config('a', '1'), odd], { noHooks: true })).outcome).toBe('deployed')
  })

  it('is not mistaken for one that an earlier run left and that is removed first', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1'), hook('migrate', 'pre-install,pre-upgrade')])
    const changed = hook('migrate', 'pre-install,pre-upgrade', { spec: { completions: 2, parallelism: 2 } })
    expect((await shop.upgrade([config('a', '2'), changed])).outcome).toBe('deployed')
  })

  it.each(['pre-delete', 'post-delete', 'test'])(
    'at %s replaces and removes nothing that became a part of another release meanwhile',
    async (phase) => {
      const shop = await releases.make()
      const cleanup = config('shared', 'hook', {
        'sherpack.io/hook': phase,
        'sherpack.io/hook-delete-policy': 'before-hook-creation,hook-succeeded,hook-failed',
      })
      await shop.install([config('a', '1'), cleanup])
      const release = { ...shop.release, name: 'other' }
      await finish(install(shop.engine, { ...shop.content(config('shared', 'theirs')), release }, {}, ctx))
      const message = `it would replace what belongs to the release ${shop.namespace}/other`
      const said =
        phase === 'test'
          ? finish(testRelease(shop.engine, shop.release, {}, ctx)).then(({ tests }) => tests[0]?.message)
          : finish(uninstall(shop.engine, shop.release, {}, ctx)).catch((error: Error) => error.message)
      expect(await said).toContain(message)
      expect((await shop.find('shared'))?.['data']).toEqual({ value: 'theirs' })
      await finish(uninstall(shop.engine, shop.release, { noHooks: true }, ctx))
      expect((await shop.find('shared'))?.['data']).toEqual({ value: 'theirs' })
    },
  )

  it('for another reason than what it holds is told as a warning, for that may change until it runs', async () => {
    const shop = await releases.make()
    const fault = { fault: 'error', code: 403, resource: 'jobs.batch', namespace: shop.namespace, count: 1 } as const
    const id = releases.sandbox.faults.add({ ...fault, verb: 'patch' })
    const { events } = await shop.planInstall([config('a', '1'), hook('migrate', 'pre-install')])
    releases.sandbox.faults.clear(id)
    expect(events).toMatchObject([
      { type: 'warning', ref: { name: 'migrate' }, message: expect.stringContaining('may be refused') as string },
    ])
  })
})

/** A hook that only has to be there. */
function note(name: string, phases: string, weight = '0'): KubeObject {
  return config(name, name, { 'sherpack.io/hook': phases, 'sherpack.io/hook-weight': weight })
}

function failing(name: string, phases: string, annotations: Record<string, string> = {}): KubeObject {
  return hook(name, phases, { annotations, simulate: { '': 'job-fail' } })
}

async function collect(shop: SandboxRelease, objects: KubeObject[], events: LadingEvent[]): Promise<void> {
  for await (const event of install(shop.engine, shop.content(...objects), {}, ctx)) events.push(event)
}

function story(events: readonly LadingEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'hook') return event.status === 'succeeded' ? [event.phase] : []
    return event.type === 'object' ? [`${event.ref.name} ${event.action}`] : []
  })
}

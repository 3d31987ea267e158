import { beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { createObject } from '../../kube/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { DeployResult } from '../run/deploy.ts'
import { install, upgrade } from '../run/operations.ts'
import { config, deployment, hook } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const theirs = (name: string): KubeObject => ({ ...config(name, ''), data: { mine: 'precious' } })

describe.each(['secrets', 'helm'] as const)('with the %s store, an object that somebody else creates', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it('while a hook runs is not taken over, and an uninstall leaves it', async () => {
    const installing = during([config('a', '1'), config('x', '1'), hook('pre', 'pre-install')], afterHook, 'x')
    await expect(installing).rejects.toMatchObject({
      code: 'release.failed',
      message: expect.stringContaining('ConfigMap') as string,
      details: { code: 'release.not-owned' },
    })
    expect(await shop.find('a')).toBeUndefined()
    await shop.uninstall()
    expect((await shop.find('x'))?.['data']).toEqual({ mine: 'precious' })
  })

  it('while an earlier wave is waited for is not taken over', async () => {
    const late = config('x', '1', { 'lading.dev/sync-wave': '1' })
    await expect(during([deployment('web'), late], afterWave, 'x')).rejects.toMatchObject({
      details: { code: 'release.not-owned' },
    })
    expect((await shop.find('x'))?.['data']).toEqual({ mine: 'precious' })
  })

  it('in place of one that is to be updated is not taken over', async () => {
    await shop.install([config('x', '1')])
    const hooked = shop.content(config('x', '2'), hook('pre', 'pre-upgrade'))
    const upgrading = upgrade(shop.engine, hooked, { conflicts: 'force' }, ctx)
    const failing = interrupted(upgrading, afterHook, async () => {
      await shop.remove('x')
      await create('x')
    })
    await expect(failing).rejects.toMatchObject({ details: { code: 'release.not-owned' } })
    expect((await shop.find('x'))?.['data']).toEqual({ mine: 'precious' })
  })

  it('is taken over where that is allowed', async () => {
    const objects = [config('x', '1'), hook('pre', 'pre-install')]
    const { outcome } = await during(objects, afterHook, 'x', { takeOwnership: true })
    expect(outcome).toBe('deployed')
    expect((await shop.find('x'))?.['data']).toEqual({ mine: 'precious', value: '1' })
  })

  it('is left out where the operation goes on past what it cannot do', async () => {
    const objects = [config('a', '1'), config('x', '1'), hook('pre', 'pre-install')]
    await expect(during(objects, afterHook, 'x', { onError: 'continue' })).rejects.toMatchObject({
      code: 'release.failed',
    })
    expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
    expect((await shop.find('x'))?.['data']).toEqual({ mine: 'precious' })
  })

  it('while the lock is waited for is not taken over', async () => {
    let passed = 0
    const clock = { ...ctx.clock, now: () => ctx.clock.now() + passed, sleep: ctx.clock.sleep.bind(ctx.clock) }
    const { transport, discovery } = shop.cluster
    const slow = {
      discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        request: async (...[request, inner]: Parameters<typeof transport.request>) => {
          if (request.method === 'POST' && request.path.endsWith('/leases')) {
            passed = 8_000
            await create('x')
          }
          return await transport.request(request, inner)
        },
        stream: transport.stream.bind(transport),
        close: () => transport.close(),
      },
    }
    const installing = install(
      { ...shop.engine, cluster: slow },
      shop.content(config('x', '1')),
      {},
      context({ ...ctx, clock }),
    )
    await expect(interrupted(installing, () => false, nothing)).rejects.toMatchObject({
      details: { code: 'release.not-owned' },
    })
  })

  async function create(name: string): Promise<void> {
    const object = theirs(name)
    const metadata = { ...object.metadata, namespace: shop.namespace }
    await createObject(shop.cluster, { ...object, metadata }, { fieldManager: 'somebody' }, ctx)
  }

  function during(
    objects: readonly KubeObject[],
    when: (event: LadingEvent) => boolean,
    name: string,
    options: DeployOptions = {},
  ): Promise<DeployResult> {
    return interrupted(install(shop.engine, shop.content(...objects), options, ctx), when, () => create(name))
  }
})

const nothing = async (): Promise<void> => {}
const afterHook = (event: LadingEvent): boolean => event.type === 'hook' && event.status === 'succeeded'
const afterWave = (event: LadingEvent): boolean => 'ref' in event && event.ref?.kind === 'Deployment'

/** Runs an operation to its end; at the first event that is meant, something else happens. */
async function interrupted(
  operation: AsyncGenerator<LadingEvent, DeployResult>,
  when: (event: LadingEvent) => boolean,
  what: () => Promise<void>,
): Promise<DeployResult> {
  let done = false
  for (;;) {
    const next = await operation.next()
    if (next.done === true) return next.value
    if (done || !when(next.value)) continue
    done = true
    await what()
  }
}

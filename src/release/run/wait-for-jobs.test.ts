import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { install } from './operations.ts'
import { config, deployment, hook } from '../testdata/release-objects.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe('a plain Job', () => {
  const releases = sandboxReleases()

  it.each([{ wait: true }, { atomic: true }, { stabilizationMs: 1 }])(
    'is not waited for with %j, as with Helm',
    async (options) => {
      const shop = await releases.make()
      const { outcome } = await shop.install([job('slow', { simulate: 'hang' }), deployment('web')], options)
      expect(outcome).toBe('deployed')
      expect(await isComplete(shop.find('slow', 'Job', 'batch'))).toBe(false)
    },
  )

  it('is waited for with waitForJobs', async () => {
    const shop = await releases.make()
    await shop.install([job('quick', { delay: '300ms' })], { wait: true, waitForJobs: true })
    expect(await isComplete(shop.find('quick', 'Job', 'batch'))).toBe(true)
    const late = shop.upgrade([job('slow', { simulate: 'hang' })], { wait: true, waitForJobs: true, timeoutMs: 1_500 })
    await expect(late).rejects.toMatchObject({ details: { code: 'wait.timeout' } })
  })

  it('that fails while others are waited for fails the operation, as with Helm', async () => {
    const shop = await releases.make()
    const web = deployment('web', { simulate: { '': 'unready' } })
    await expect(shop.install([job('broken', { simulate: 'job-fail' }), web], { wait: true })).rejects.toMatchObject({
      details: { code: 'wait.failed', objects: [{ ref: { name: 'broken' } }, { ref: { name: 'web' } }] },
    })
  })

  it('of an earlier sync-wave completes before the next wave begins, asked to wait or not', async () => {
    const shop = await releases.make()
    const first = job('first', { delay: '300ms' })
    const order = await completedWhenApplied(shop, [first, later(config('a', '1'))], 'first', 'a')
    expect(order).toEqual([true])
  })

  it('that another object waits for completes before that one is applied; one that none waits for does not matter', async () => {
    const shop = await releases.make()
    const waiting = config('a', '1', { 'lading.dev/wait-for': 'Job/first' })
    const slow = job('slow', { simulate: 'hang' })
    const order = await completedWhenApplied(shop, [job('first', { delay: '300ms' }), slow, waiting], 'first', 'a')
    expect(order).toEqual([true])
    expect(await isComplete(shop.find('slow', 'Job', 'batch'))).toBe(false)
  })

  it('that none waits for by name completes before the next sync-wave too', async () => {
    const shop = await releases.make()
    const steps = [job('first', {}), config('a', '1', { 'lading.dev/wait-for': 'Job/first' })]
    const own = job('own', { delay: '300ms' })
    const order = await completedWhenApplied(shop, [...steps, own, later(config('b', '1'))], 'own', 'b')
    expect(order).toEqual([true])
  })

  /** Whether the Job was complete each time that the other object was written. */
  async function completedWhenApplied(
    shop: Awaited<ReturnType<typeof releases.make>>,
    objects: readonly KubeObject[],
    jobName: string,
    other: string,
  ): Promise<boolean[]> {
    const found: boolean[] = []
    for await (const event of install(shop.engine, shop.content(...objects), {}, ctx)) {
      if (isWritten(event, other)) found.push(await isComplete(shop.find(jobName, 'Job', 'batch')))
    }
    return found
  }
})

function isWritten(event: LadingEvent, name: string): boolean {
  return event.type === 'object' && event.action === 'created' && event.ref.name === name
}

function job(name: string, { simulate, delay }: { simulate?: string; delay?: string }): KubeObject {
  const made = hook(name, '', {
    simulate: { ...(simulate === undefined ? {} : { '': simulate }), ...(delay === undefined ? {} : { delay }) },
  })
  return { ...made, metadata: { name } }
}

function later(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { 'lading.dev/sync-wave': '1' } } }
}

async function isComplete(found: Promise<KubeObject | undefined>): Promise<boolean> {
  const { conditions = [] } = ((await found)?.['status'] ?? {}) as { conditions?: { type: string; status: string }[] }
  return conditions.some(({ type, status }) => type === 'Complete' && status === 'True')
}

import { describe, expect, it } from 'vitest'
import { type Context, context, type KubeObject, type LadingError, type LadingEvent } from '../../core/index.ts'
import { watchObjects } from '../../kube/index.ts'
import { install } from '../run/operations.ts'
import { config, hook } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { testRelease } from '../run/test-release.ts'
import { lastWords } from './hook-log.ts'

const ctx = context()

describe('the error of a failed hook', () => {
  const releases = sandboxReleases()

  it('has the end of its log, also where the hook is deleted for having failed', async () => {
    const shop = await releases.make()
    const broken = failing('pre-install', { 'helm.sh/hook-delete-policy': 'hook-failed' })
    const error = await failureOf(shop.install([broken, config('a', '1')]))
    expect(error).toMatchObject({
      code: 'release.failed',
      details: { code: 'hook.failed', ref: { name: 'migrate' }, phase: 'pre-install', log: ['begin', 'no such table'] },
    })
    expect(error.message).toContain('; its log ends with: no such table')
    expect(await shop.find('migrate', 'Job', 'batch')).toBeUndefined()
    const stored = await shop.engine.store.get({ ...shop.release, version: 1 }, ctx)
    expect(stored?.record.description).toContain('no such table')
  })

  it('has it for a rollback, with --atomic, and for an uninstall', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1'), failing('pre-rollback,pre-delete')])
    await shop.upgrade([config('a', '2')])
    const log = ['begin', 'no such table']
    expect(await failureOf(shop.rollback(1))).toMatchObject({ details: { phase: 'pre-rollback', log } })
    const atomic = shop.upgrade([config('a', '3'), failing('post-upgrade')], { atomic: true })
    expect(await failureOf(atomic)).toMatchObject({ details: { phase: 'post-upgrade', log } })
    await shop.upgrade([config('a', '4'), failing('pre-delete')])
    expect(await failureOf(shop.uninstall())).toMatchObject({
      code: 'hook.failed',
      details: { phase: 'pre-delete', log },
    })
  })

  it('has the logs of all containers of all Pods that are left, each line with where it is from', async () => {
    const shop = await releases.make()
    const spec = { backoffLimit: 1, podReplacementPolicy: 'Failed' }
    const broken = failing('pre-install', {}, spec) as KubeObject & { spec: { template: { spec: object } } }
    Object.assign(broken.spec.template.spec, { initContainers: [{ name: 'prepare', image: 'registry.example/x:1' }] })
    const error = await failureOf(shop.install([broken]))
    const log = error.details.log ?? []
    const sources = [...new Set(log.map((line) => line.replace(/^\[(.*)\] .*$/, '$1')))]
    const pods = new Set(sources.map((source) => source.split('/')[0]))
    expect(pods.size).toBe(2)
    expect(sources).toEqual([...pods].flatMap((pod) => [`${pod}/prepare`, `${pod}/main`]))
    expect(log.at(-1)).toMatch(/^\[migrate-\w+\/main\] no such table$/)
  })

  it('has the log of one that did not end in time', async () => {
    const shop = await releases.make()
    const limit = 3_600_000
    // The hour is over once the Pod runs.
    const sleep: Context['clock']['sleep'] = (ms, signal) =>
      ms === limit ? running(shop) : ctx.clock.sleep(ms, signal)
    const late = context({ clock: { now: () => ctx.clock.now(), sleep } })
    const content = shop.content(slow({ 'sherpack.io/hook-timeout': '1h' }))
    const error = await failureOf(finish(install(shop.engine, content, { timeoutMs: 2 * limit }, late)))
    expect(error.details).toMatchObject({ code: 'hook.failed', log: ['begin', 'no such table'] })
  })

  it('has the log of one that was running when the operation was cancelled', async () => {
    const shop = await releases.make()
    const stop = new AbortController()
    const operation = finish(install(shop.engine, shop.content(slow({})), {}, { ...ctx, signal: stop.signal }))
    const cancelled = failureOf(operation)
    await running(shop)
    stop.abort()
    expect(await cancelled).toMatchObject({ code: 'cancelled', details: { log: ['begin', 'no such table'] } })
  })

  it('tells no value of a Secret of the release, plain or encoded', async () => {
    const shop = await releases.make()
    const password = 'correct horse battery'
    const encoded = Buffer.from(password).toString('base64')
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db' },
      data: { password: encoded },
    }
    const logs = `connecting as admin:${password}\nrefused ${encoded}`
    const broken = hook('migrate', 'pre-install', { simulate: { '': 'job-fail', logs } })
    const events: LadingEvent[] = []
    const error = await failureOf(collect(install(shop.engine, shop.content(secret, broken), {}, ctx), events))
    expect(error.details.log).toEqual(['connecting as admin:***', 'refused ***'])
    const stored = await shop.engine.store.get({ ...shop.release, version: 1 }, ctx)
    const told = JSON.stringify([error, events, stored?.record.description, stored?.record.state])
    expect([told.includes(password), told.includes(encoded)]).toEqual([false, false])
  })

  it('of a test is in the report', async () => {
    const shop = await releases.make()
    await shop.install([config('a', '1'), failing('test')])
    const { tests } = await finish(testRelease(shop.engine, shop.release, {}, ctx))
    expect(tests).toMatchObject([{ result: 'failed', log: ['begin', 'no such table'] }])
  })
})

describe('the last words of a log', () => {
  it('are its last line that says something, without what a terminal would act on, and short', () => {
    expect(lastWords(['one', '\u001B[31mtwo\u001B[0m', '  '])).toBe('[31mtwo [0m')
    expect(lastWords(['x'.repeat(500)])).toHaveLength(200)
    expect(lastWords([])).toBeUndefined()
  })
})

const logs = 'begin\nno such table'

function failing(phases: string, annotations: Record<string, string> = {}, spec: object = {}): KubeObject {
  return hook('migrate', phases, { annotations, spec, simulate: { '': 'job-fail', logs } })
}

function slow(annotations: Record<string, string>): KubeObject {
  return hook('migrate', 'pre-install', { annotations, simulate: { '': 'hang', logs } })
}

async function running({ cluster, namespace }: SandboxRelease): Promise<void> {
  const gvk = { group: '', version: 'v1', kind: 'Pod' }
  for await (const event of watchObjects(cluster, { gvk, namespace }, ctx)) {
    if (event.type !== 'added' && event.type !== 'modified') continue
    if ((event.object['status'] as { phase?: string } | undefined)?.phase === 'Running') return
  }
}

async function failureOf(work: Promise<unknown>): Promise<LadingError> {
  return await work.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: LadingError) => error,
  )
}

async function collect(operation: AsyncGenerator<LadingEvent, unknown>, events: LadingEvent[]): Promise<void> {
  for await (const event of operation) events.push(event)
}

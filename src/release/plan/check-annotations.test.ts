import { beforeEach, describe, expect, it } from 'vitest'
import { context, isLadingError, type KubeObject, type LadingError, refOf } from '../../core/index.ts'
import { getObject } from '../../kube/index.ts'
import { annotationMistakes } from './check-annotations.ts'
import { revisionOf } from '../record/history.ts'
import { install } from '../run/operations.ts'
import { config, deployment, hook, namespaceObject } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

describe('the annotations of an object', () => {
  it('are all told that are wrong, each with what is allowed', () => {
    const object = deployment('web', {
      annotations: {
        'lading.dev/health-check': 'true',
        'lading.dev/health-check-type': 'http',
        'lading.dev/health-check-path': 'healthz',
        'lading.dev/sync-wave': 'first',
        'lading.dev/wait-for': 'Secret,a/b/c/d',
        'lading.dev/skip-wait': 'yes',
        'lading.dev/resource-policy': 'kept',
        'lading.dev/ready-when': 'status.phase ==',
        'lading.dev/failed-when': '"text"',
      },
    })
    expect(
      annotationMistakes(object).map(({ message }) => message.replace('Deployment.apps web: annotation ', '')),
    ).toEqual([
      'lading.dev/sync-wave: first is no whole number, such as -1 or 5',
      'lading.dev/wait-for: Secret is not Kind/name or Kind/namespace/name',
      'lading.dev/wait-for: a/b/c/d is not Kind/name or Kind/namespace/name',
      'lading.dev/health-check-path: healthz does not begin with one slash',
      'sherpack.io/health-check-port: it is missing; give a number from 1 to 65535 or the name of a port',
      'lading.dev/skip-wait: yes is not known; it can be true or false',
      'lading.dev/resource-policy: kept is not known; it can be keep',
      'lading.dev/failed-when: the expression gives string, not bool: "text"',
      'lading.dev/ready-when: the expression is not complete at character 16: status.phase ==',
    ])
  })

  it('of a hook are read to the last one', () => {
    const object = hook('migrate', 'pre-install', {
      annotations: {
        'lading.dev/hook': 'before-install',
        'lading.dev/hook-weight': 'heavy',
        'lading.dev/hook-delete-policy': 'always',
        'lading.dev/hook-failure-policy': 'ignore',
        'lading.dev/hook-timeout': 'long',
      },
    })
    expect(annotationMistakes(object).map(({ details }) => details.annotation)).toEqual([
      'lading.dev/hook',
      'lading.dev/hook-weight',
      'lading.dev/hook-delete-policy',
      'lading.dev/hook-failure-policy',
      'lading.dev/hook-timeout',
    ])
  })

  it('name a port that is there', () => {
    const ports = [{ name: 'http', containerPort: 80 }]
    const template = { spec: { containers: [{ name: 'main', image: 'x', ports }] } }
    const asking = (port: string): KubeObject =>
      deployment('web', {
        annotations: { 'lading.dev/health-check': 'true', 'lading.dev/health-check-port': port },
        spec: { template },
      })
    expect(annotationMistakes(asking('http'))).toEqual([])
    expect(annotationMistakes(asking('9090'))).toEqual([])
    expect(annotationMistakes(asking('web')).map(({ message }) => message)).toEqual([
      'Deployment.apps web: annotation lading.dev/health-check-port: no port is named web; the names are http',
    ])
  })

  it('of our own prefix that do not exist are told with the nearest that does', () => {
    const annotations = { 'lading.dev/sync-wav': '1', 'lading.dev/readywhen': 'true', 'lading.dev/Hook': 'pre-install' }
    const told = annotationMistakes(config('a', '1', annotations)).map(({ code, message }) => `${code} ${message}`)
    expect(told).toEqual([
      'hook.invalid ConfigMap a: annotation lading.dev/sync-wav is not known; did you mean lading.dev/sync-wave?',
      'hook.invalid ConfigMap a: annotation lading.dev/readywhen is not known; did you mean lading.dev/ready-when?',
      'hook.invalid ConfigMap a: annotation lading.dev/Hook is not known; did you mean lading.dev/hook?',
    ])
  })

  it('that Lading or the sandbox knows or writes are no mistakes', () => {
    const names = ['release-name', 'release-namespace', 'simulate', 'simulate-logs', 'write-id', 'description']
    const annotations = Object.fromEntries(names.map((name) => [`lading.dev/${name}`, 'x']))
    expect(annotationMistakes(config('a', '1', { ...annotations, 'example.com/sync-wav': '1' }))).toEqual([])
  })

  it('name a policy for CRDs that exists, on any kind', () => {
    const object = config('a', '1', { 'lading.dev/crd-policy': 'mine' })
    expect(annotationMistakes(object).map(({ message }) => message)).toEqual([
      'ConfigMap a: annotation lading.dev/crd-policy: mine is no policy; the policies are managed, shared, external',
    ])
  })

  it('that are Helm’s are passed over where Helm does', () => {
    const annotations = { 'helm.sh/resource-policy': 'kept', 'helm.sh/hook-weight': 'heavy' }
    expect(annotationMistakes(hook('migrate', 'pre-install,never', { annotations }))).toEqual([])
  })
})

describe('a release whose annotations are wrong', () => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make()
  })

  const tcp = (): KubeObject =>
    deployment('web', { annotations: { 'lading.dev/health-check': 'true', 'lading.dev/health-check-type': 'tcp' } })
  const unknown: KubeObject = { apiVersion: 'nowhere.example/v1', kind: 'Ghost', metadata: { name: 'g' } }

  it('is refused before the first write, with all mistakes of all objects', async () => {
    const wave = config('a', '1', { 'lading.dev/sync-wave': 'x' })
    const bad = hook('migrate', 'pre-install', { annotations: { 'lading.dev/hook-timeout': 'long' } })
    const error = await failureOf(shop.install([config('fine', '1'), tcp(), wave, bad]))
    expect(error.code).toBe('hook.invalid')
    expect(failuresOf(error)).toEqual(['web', 'a', 'migrate'])
    expect(error.message).toContain('3 objects')
    expect(await shop.find('fine')).toBeUndefined()
    expect(await shop.statuses()).toEqual([])
  })

  it('alone is told with its annotation and what is allowed', async () => {
    const { message, code } = await failureOf(shop.install([tcp()]))
    expect({ message, code }).toEqual({
      code: 'hook.invalid',
      message: `Deployment.apps ${shop.namespace}/web: annotation lading.dev/health-check-type: tcp is no type; the types are http, url, command`,
    })
  })

  it('by both expressions of one object is told both, before the first write', async () => {
    const own = { 'lading.dev/failed-when': 'nope.x', 'lading.dev/ready-when': 'spec.foo == 1' }
    const { message, code } = await failureOf(shop.install([config('a', '1', own)]))
    expect(code).toBe('cel.invalid')
    expect(message).toMatch(
      /^ConfigMap \S+\/a: annotation lading.dev\/failed-when: nope .*; annotation lading.dev\/ready-when: spec /,
    )
    expect(await shop.find('a')).toBeUndefined()
  })

  it('by an unknown sherpack.io annotation alone is installed with a warning', async () => {
    const { events } = await shop.install([config('a', '1', { 'sherpack.io/skipwait': 'true' })])
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: 'annotation sherpack.io/skipwait is not known and has no effect; did you mean sherpack.io/skip-wait?',
      }),
    )
  })

  it('by an unknown annotation of its own prefix can still be rolled back to, with a warning', async () => {
    await shop.install([config('a', '1')])
    await shop.upgrade([config('a', '2')])
    const { store } = shop.engine
    const stored = await revisionOf(store, shop.release, 1, context())
    const manifest = stored.record.manifest.replace(
      'name: a',
      'annotations: { lading.dev/skipwait: "true" }\n  name: a',
    )
    await store.update(stored, { ...stored.record, manifest }, context())
    const { events, outcome } = await shop.rollback(1)
    expect(outcome).toBe('deployed')
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.stringContaining('did you mean lading.dev/skip-wait?'),
      }),
    )
  })

  it('is refused before its namespace is created', async () => {
    const home = { ...shop.release, namespace: 'not-yet' }
    const content = { ...shop.content(tcp()), release: home }
    await failureOf(finish(install(shop.engine, content, { createNamespace: true }, context())))
    expect(await getObject(shop.cluster, refOf(namespaceObject('not-yet')), context())).toBeUndefined()
  })

  it('is refused by a dry run too', async () => {
    expect((await failureOf(shop.planInstall([tcp()]))).code).toBe('hook.invalid')
  })

  it('and whose set has an unknown kind and objects that the server refuses, is told all of it', async () => {
    const refused: KubeObject = { ...deployment('bad'), spec: { replicas: -1 } }
    const cycle = [
      config('x', '1', { 'lading.dev/wait-for': 'ConfigMap/y' }),
      config('y', '1', { 'lading.dev/wait-for': 'ConfigMap/x' }),
    ]
    const error = await failureOf(shop.install([unknown, tcp(), refused, config('fine', '1'), ...cycle]))
    expect(error.code).toBe('apply.failed')
    expect(failuresOf(error)).toEqual(expect.arrayContaining(['g', 'web', 'bad', 'x']))
    expect(failuresOf(error)).toHaveLength(4)
    expect(await shop.find('fine')).toBeUndefined()
    expect(await shop.statuses()).toEqual([])
  })
})

function failuresOf({ details }: LadingError): string[] {
  return (details.failures ?? []).map(({ ref }) => ref.name)
}

async function failureOf(work: Promise<unknown>): Promise<LadingError> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  )
  if (isLadingError(error)) return error
  throw error
}

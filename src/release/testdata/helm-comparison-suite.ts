import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { createObject, deleteObject, getObject, listObjects } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import type { ValuesFlags } from '../values/read-values.ts'
import type { ValuesMode } from '../values/compose-values.ts'
import { renderContent } from '../source/render-content.ts'
import { createStore } from '../storage/create-store.ts'
import { testRelease } from '../run/test-release.ts'
import { uninstall } from '../run/uninstall.ts'
import type { CrashTarget } from './crash-suite.ts'
import { type HelmClient, openHelm } from './helm-client.ts'
import { writeComparedChart } from './compared-charts.ts'
import { comparable, isOurs, normal, storedRelease } from './compare-installs.ts'

const ctx = context()

/** What the comparison runs on. */
export interface ComparedTarget extends CrashTarget {
  /** A helm 3, which reads and goes on with releases too. */
  readonly helm3?: string
}

/**
 * The same chart released by Lading and by the real helm, each in a namespace of its own: everything has to be the same. A `quick`
 * suite leaves out what takes helm long.
 */
export function helmComparisonSuite(name: string, open: () => Promise<ComparedTarget>, quick = false): void {
  const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
  describe.skipIf(noNpmClients !== undefined)(`charts of helm and Lading on ${name}${reason}`, () => {
    let target: ComparedTarget
    let helm: HelmClient
    let folder = ''
    let engine: ReleaseEngine
    let ours: Side
    let theirs: Side
    const unique = `compared-${process.pid.toString(36)}${Date.now().toString(36)}`
    const made: string[] = []

    beforeAll(async () => {
      target = await open()
      folder = await mkdtemp(join(tmpdir(), 'lading-compared-'))
      helm = await openHelm((await npmClients())?.helm ?? '', target.kubeconfig)
      engine = { cluster: target.cluster, store: createStore({ driver: 'helm' }, target.cluster) }
    })
    beforeEach(async () => {
      ours = await openSide('ours')
      theirs = await openSide('real')
    })
    afterAll(async () => {
      for (const each of made) {
        await deleteObject(target.cluster, namespaceRef(each), { wait: false }, ctx)
        await deleteObject(target.cluster, crdRef(`items.${each}.example`), { wait: false, keep: 'ignore' }, ctx)
      }
      await rm(folder, { recursive: true, force: true })
      await helm.close()
      await target.close()
    })

    it.runIf(quick)('are installed alike, and each goes on with what the other installed', async () => {
      await lading(ours, 'install', { set: ['colour=green', 'limits.bytes=2000000'] })
      await helm.run(theirs.namespace, 'install', 'shop', theirs.chart, '--set', 'colour=green,limits.bytes=2000000')
      await same(1)
      await helm.run(ours.namespace, 'upgrade', 'shop', ours.chart, '--reuse-values', '--set', 'replicas=2')
      await lading(theirs, 'upgrade', { set: ['replicas=2'], mode: 'reuse' })
      await sameObjects()
      expect(await history(ours)).toEqual(await history(theirs))
    })

    it.skipIf(quick)('are installed, upgraded, rolled back, tested and uninstalled alike, with the same objects, hooks and records', async () => {
      await lading(ours, 'install', { set: ['colour=green', 'limits.bytes=2000000', 'gone=null'] })
      await helm.run(theirs.namespace, 'install', 'shop', theirs.chart, '--wait', '--set', 'colour=green,limits.bytes=2000000,gone=null')
      await same(1)
      expect((await settings(ours))['found']).toBe('nothing')

      await lading(ours, 'upgrade', { set: ['colour=red', 'cache.enabled=false'] })
      await helm.run(theirs.namespace, 'upgrade', 'shop', theirs.chart, '--wait', '--set', 'colour=red,cache.enabled=false')
      await same(2)
      expect(await settings(ours)).toMatchObject({ found: 'before', colour: 'red', bytes: '1e+06' })

      await lading(ours, 'upgrade', { set: ['replicas=2'], mode: 'reuse' })
      await helm.run(theirs.namespace, 'upgrade', 'shop', theirs.chart, '--wait', '--reuse-values', '--set', 'replicas=2')
      await same(3)

      await finish(rollback(engine, release(ours), 1, { wait: true }, ctx))
      await helm.run(theirs.namespace, 'rollback', 'shop', '1', '--wait')
      await same(4)

      expect((await finish(testRelease(engine, release(ours), {}, ctx))).passed).toBe(true)
      await helm.run(theirs.namespace, 'test', 'shop')
      await same(4)

      await finish(uninstall(engine, release(ours), { keepHistory: true, wait: true }, ctx))
      await helm.run(theirs.namespace, 'uninstall', 'shop', '--keep-history', '--wait')
      await same(4)
    }, 120_000)

    it.skipIf(quick)('cross over: helm goes on with what Lading released, and Lading with what helm did', async () => {
      await lading(ours, 'install', { set: ['colour=green'] })
      await helm.run(theirs.namespace, 'install', 'shop', theirs.chart, '--wait', '--set', 'colour=green')
      await helm.run(ours.namespace, 'upgrade', 'shop', ours.chart, '--wait', '--reuse-values', '--set', 'replicas=2')
      await lading(theirs, 'upgrade', { set: ['replicas=2'], mode: 'reuse' })
      await sameObjects()
      expect(await helm.run(ours.namespace, 'get', 'values', 'shop', '-o', 'json')).toBe(
        await helm.run(theirs.namespace, 'get', 'values', 'shop', '-o', 'json'),
      )
      await helm.run(ours.namespace, 'rollback', 'shop', '1', '--wait')
      await finish(rollback(engine, release(theirs), 1, { wait: true }, ctx))
      await sameObjects()
      await finish(rollback(engine, release(ours), 2, { wait: true }, ctx))
      await helm.run(theirs.namespace, 'rollback', 'shop', '2', '--wait')
      await sameObjects()
      expect(await history(ours)).toEqual(await history(theirs))
      for (const what of ['manifest', 'hooks', 'notes', 'values', 'all']) {
        expect(await shown(ours, what)).toBe(await shown(theirs, what))
      }
      await helm.run(ours.namespace, 'uninstall', 'shop', '--wait')
      await finish(uninstall(engine, release(theirs), { wait: true }, ctx))
      await sameObjects()
    }, 120_000)

    it('that are the same, with the same values, and not drifted, are left alone', async () => {
      await lading(ours, 'install', { set: ['colour=green'] })
      // What it looked up is there now, so that one more revision is due.
      await lading(ours, 'upgrade', { set: ['colour=green'] })
      const before = await everything(ours)
      expect(await lading(ours, 'upgrade', { set: ['colour=green'] })).toBe('unchanged')
      expect(await lading(ours, 'upgrade', {})).toBe('unchanged')
      expect(await everything(ours)).toEqual(before)
      expect(await lading(ours, 'upgrade', { set: ['colour=blue'] })).toBe('deployed')
    })

    it.skipIf(quick)('are read and gone on with by helm 3', async () => {
      const helm3 = await openHelm(target.helm3 ?? '', target.kubeconfig)
      await lading(ours, 'install', { set: ['colour=green'] })
      const { namespace } = ours
      const listed = JSON.parse(await helm3.run(namespace, 'list', '-o', 'json')) as unknown[]
      expect(listed).toMatchObject([{ name: 'shop', chart: 'shop-1.2.3', app_version: '7', status: 'deployed' }])
      expect(await helm3.run(namespace, 'get', 'notes', 'shop')).toContain('door of shop is green')
      await helm3.run(namespace, 'upgrade', 'shop', ours.chart, '--wait', '--reuse-values', '--set', 'replicas=2')
      await lading(ours, 'upgrade', { set: ['replicas=3'], mode: 'reuse' })
      await helm3.run(namespace, 'rollback', 'shop', '1', '--wait')
      expect(await settings(ours)).toMatchObject({ colour: 'green' })
      await helm3.run(namespace, 'uninstall', 'shop')
      await helm3.close()
    })

    async function openSide(side: string): Promise<Side> {
      const namespace = `${unique}-${made.length + 1}-${side}`
      made.push(namespace)
      await createObject(target.cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
      return { namespace, chart: await writeComparedChart(join(folder, namespace), `${namespace}.example`) }
    }

    async function lading(
      { namespace, chart }: Side,
      operation: 'install' | 'upgrade',
      { set = [], mode = 'default' }: { set?: readonly string[]; mode?: ValuesMode },
    ): Promise<string> {
      const flags: ValuesFlags['set'] = set.map((text) => ({ flag: 'set', text }))
      const inputs = { source: chart, set: flags, mode }
      const { cluster, store } = engine
      const content = await renderContent(store, { name: 'shop', namespace }, inputs, { cluster }, ctx)
      const run = operation === 'install' ? install : upgrade
      return (await finish(run(engine, content, { wait: true }, ctx))).outcome
    }

    async function same(revisions: number): Promise<void> {
      await sameObjects()
      expect(await history(ours)).toEqual(await history(theirs))
      for (let revision = 1; revision <= revisions; revision += 1) {
        expect(await stored(ours, revision)).toEqual(await stored(theirs, revision))
      }
    }

    async function sameObjects(): Promise<void> {
      expect(await objects(ours)).toEqual(await objects(theirs))
    }

    async function objects({ namespace }: Side): Promise<unknown[]> {
      const found: KubeObject[] = []
      for (const [group, kind] of kinds) {
        const gvk = { group, version: 'v1', kind }
        found.push(...(await listObjects(target.cluster, { gvk, namespace }, ctx)).items)
      }
      const crd = await getObject(target.cluster, crdRef(`items.${namespace}.example`), ctx)
      const own = [...found, ...(crd === undefined ? [] : [crd])].filter(isOurs)
      return own.map((object) => normal(comparable(object), namespace))
    }

    async function settings({ namespace }: Side): Promise<Record<string, string>> {
      const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'shop-settings' }
      return ((await getObject(target.cluster, ref, ctx))?.['data'] ?? {}) as Record<string, string>
    }

    async function everything({ namespace }: Side): Promise<string[]> {
      const all = await Promise.all(
        [...kinds, ['', 'Secret'] as const].map(async ([group, kind]) => {
          const { items } = await listObjects(target.cluster, { gvk: { group, version: 'v1', kind }, namespace }, ctx)
          return items.map(({ metadata }) => `${kind} ${metadata.name} ${metadata.uid} ${metadata.generation ?? ''}`)
        }),
      )
      return all.flat()
    }

    async function history({ namespace }: Side): Promise<unknown> {
      const rows = JSON.parse(await helm.run(namespace, 'history', 'shop', '-o', 'json')) as Record<string, unknown>[]
      return rows.map(({ updated: _, ...row }) => row)
    }

    async function shown({ namespace }: Side, what: string): Promise<string> {
      const text = await helm.run(namespace, 'get', what, 'shop')
      const lines = text.split('\n').filter((line) => !/^(?:LAST DEPLOYED|started_at|completed_at):/.test(line))
      return lines.join('\n').replaceAll(namespace, 'NAMESPACE')
    }

    /** A revision's Secret as it is stored, without what has to differ. */
    async function stored({ namespace }: Side, revision: number): Promise<unknown> {
      const ref = { group: '', version: 'v1', kind: 'Secret', namespace, name: `sh.helm.release.v1.shop.v${revision}` }
      const secret = await getObject(target.cluster, ref, ctx)
      return storedRelease(secret, namespace)
    }
  })
}

interface Side {
  readonly namespace: string
  readonly chart: string
}

const kinds = [
  ['', 'ConfigMap'],
  ['', 'Secret'],
  ['', 'Service'],
  ['', 'Pod'],
  ['apps', 'Deployment'],
  ['batch', 'Job'],
] as const

const release = ({ namespace }: Side) => ({ name: 'shop', namespace })
const namespaceRef = (name: string) => ({ group: '', version: 'v1', kind: 'Namespace', name })
const crdRef = (name: string) => ({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', name })

async function finish<T>(operation: AsyncGenerator<LadingEvent, T>): Promise<T> {
  let step = await operation.next()
  while (step.done !== true) step = await operation.next()
  return step.value
}

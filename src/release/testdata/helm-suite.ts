import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { context, type KubeObject, type LadingEvent, type ObjectRef } from '../../core/index.ts'
import { createObject, deleteObject, getObject, listObjects, patchObject } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { list as listReleases } from '../record/list.ts'
import { historyOf } from '../record/look-up.ts'
import type { Content } from '../intent.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import type { ContentInputs } from '../source/content-inputs.ts'
import { renderContent } from '../source/render-content.ts'
import { createStore } from '../storage/create-store.ts'
import { uninstall } from '../run/uninstall.ts'
import type { CrashTarget } from './crash-suite.ts'
import { type HelmClient, openHelm } from './helm-client.ts'

const ctx = context()

/** Releases that the real helm and Lading work on in turns. */
export function helmSuite(name: string, open: () => Promise<CrashTarget>): void {
  const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
  describe.skipIf(noNpmClients !== undefined)(`a release of helm and Lading on ${name}${reason}`, () => {
    let target: CrashTarget
    let helm: HelmClient
    let engine: ReleaseEngine
    let namespace: string
    const unique = `helm-${process.pid.toString(36)}${Date.now().toString(36)}`
    const made: string[] = []

    beforeAll(async () => {
      target = await open()
      helm = await openHelm((await npmClients())?.helm ?? '', target.kubeconfig)
    })
    beforeEach(async () => {
      namespace = `${unique}-${made.length + 1}`
      made.push(namespace)
      const { cluster } = target
      engine = { cluster, store: createStore({ driver: 'helm' }, cluster) }
      await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
    })
    afterAll(async () => {
      const ref = { group: '', version: 'v1', kind: 'Namespace' }
      for (const each of made) await deleteObject(target.cluster, { ...ref, name: each }, { wait: false }, ctx)
      await helm.close()
      await target.close()
    })

    it.each(['--server-side=true', '--server-side=false'])(
      'installed by helm %s is upgraded by Lading, rolled back by each and uninstalled by helm',
      async (method) => {
        await helm.run(namespace, 'install', 'shop', await shopChart(), '--set', 'value=one', method)
        expect(await maps()).toEqual({ changing: { value: 'one', extra: 'yes' }, leaving: { value: 'one' } })
        const shown = [{ source: 'shop-1.0.0', description: 'Install complete', status: 'deployed' }]
        expect(await historyOf(engine.store, { name: 'shop', namespace }, ctx)).toMatchObject(shown)
        expect(await listReleases(engine.store, { namespace }, ctx)).toMatchObject(shown)

        const { outcome } = await finish(upgrade(engine, content('two'), { wait: true }, ctx))
        expect(outcome).toBe('deployed')
        // A field that helm had set and Lading leaves out is gone too, as is the object that left the set.
        expect(await maps()).toEqual({ changing: { value: 'two' }, coming: { value: 'two' } })
        expect(await history()).toEqual(['superseded', 'deployed'])
        expect(await helm.run(namespace, 'get', 'manifest', 'shop')).toContain('name: coming')

        await helm.run(namespace, 'rollback', 'shop', '1')
        expect(await maps()).toEqual({ changing: { value: 'one', extra: 'yes' }, leaving: { value: 'one' } })
        expect(await history()).toEqual(['superseded', 'superseded', 'deployed'])

        await finish(rollback(engine, { name: 'shop', namespace }, 2, {}, ctx))
        expect(await maps()).toEqual({ changing: { value: 'two' }, coming: { value: 'two' } })
        expect(await history()).toEqual(['superseded', 'superseded', 'superseded', 'deployed'])

        await helm.run(namespace, 'uninstall', 'shop')
        expect(await maps()).toEqual({})
        expect(await deployments()).toEqual([])
        await expect(finish(upgrade(engine, content('two'), {}, ctx))).rejects.toMatchObject({
          code: 'release.not-found',
        })
      },
    )

    it('shows for each revision when it was deployed, as helm history does, whoever deployed it and whoever superseded it', async () => {
      await helm.run(namespace, 'install', 'shop', await shopChart())
      await finish(upgrade(engine, content('two'), {}, ctx))
      await helm.run(namespace, 'upgrade', 'shop', await shopChart(), '--set', 'value=three')
      const theirs = JSON.parse(await helm.run(namespace, 'history', 'shop', '-o', 'json')) as { updated: string }[]
      const times = theirs.map(({ updated }) => Date.parse(updated))
      expect(new Set(times).size).toBe(3)
      const ours = await historyOf(engine.store, { name: 'shop', namespace }, ctx)
      expect(ours.map(({ createdAt = '' }) => Date.parse(createdAt))).toEqual(times)
      const listed = await listReleases(engine.store, { namespace, allRevisions: true }, ctx)
      expect(listed.map(({ createdAt = '' }) => Date.parse(createdAt))).toEqual(times)
      // Deployed a moment after it was begun, and before the revision that superseded it was begun.
      const updated = ours.map(({ updatedAt = '' }) => Date.parse(updatedAt))
      times.forEach((time, index) => {
        expect(updated[index]).toBeGreaterThanOrEqual(time)
        expect(updated[index]).toBeLessThan(times[index + 1] ?? Infinity)
      })
    })

    it('installed by Lading is listed, upgraded and rolled back by helm, and uninstalled by Lading', async () => {
      await finish(install(engine, content('one'), { wait: true }, ctx))
      const listed = JSON.parse(await helm.run(namespace, 'list', '-o', 'json')) as Record<string, string>[]
      expect(listed).toMatchObject([{ name: 'shop', revision: '1', status: 'deployed' }])
      expect(await helm.run(namespace, 'get', 'values', 'shop', '-o', 'json')).toContain('"value":"one"')
      const live = await list('', 'ConfigMap')
      expect(live[0]?.metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'Helm' })
      expect(live[0]?.metadata.annotations).toEqual({
        'meta.helm.sh/release-name': 'shop',
        'meta.helm.sh/release-namespace': namespace,
      })

      // Told to apply on the server, helm would meet another field manager than its own as a conflict.
      await helm.run(namespace, 'upgrade', 'shop', await shopChart(), '--set', 'value=chart', '--server-side=true')
      expect(await maps()).toEqual({ changing: { value: 'chart', extra: 'yes' }, leaving: { value: 'chart' } })
      await helm.run(namespace, 'rollback', 'shop', '1')
      expect(await maps()).toEqual({ changing: { value: 'one' }, coming: { value: 'one' } })
      expect(await history()).toEqual(['superseded', 'superseded', 'deployed'])

      await finish(upgrade(engine, content('two'), {}, ctx))
      expect(await maps()).toEqual({ changing: { value: 'two' }, coming: { value: 'two' } })
      await finish(uninstall(engine, { name: 'shop', namespace }, {}, ctx))
      expect(await maps()).toEqual({})
      expect(JSON.parse(await helm.run(namespace, 'list', '-o', 'json'))).toEqual([])
    })

    it('that helm keeps the history of is uninstalled by Lading, and installed again by helm', async () => {
      await helm.run(namespace, 'install', 'shop', await shopChart())
      await finish(uninstall(engine, { name: 'shop', namespace }, { keepHistory: true }, ctx))
      expect(await maps()).toEqual({})
      const listed = JSON.parse(await helm.run(namespace, 'list', '--uninstalled', '-o', 'json')) as unknown[]
      expect(listed).toMatchObject([{ name: 'shop', status: 'uninstalled' }])
      await helm.run(namespace, 'upgrade', '--install', 'shop', await shopChart(), '--set', 'value=again')
      expect(await maps()).toMatchObject({ changing: { value: 'again' } })
    })

    it('with a hook that Lading ran: helm shows it, and how it ended', async () => {
      const hook = hookJob('post-install,post-upgrade')
      const { objects } = content('one')
      await finish(install(engine, { ...content('one'), objects: [...objects, hook] }, {}, ctx))
      const status = JSON.parse(await helm.run(namespace, 'status', 'shop', '-o', 'json')) as {
        hooks: { name: string; last_run: { phase: string } }[]
      }
      expect(status.hooks).toMatchObject([{ name: 'migrate', last_run: { phase: 'Succeeded' } }])
      expect(await helm.run(namespace, 'get', 'hooks', 'shop')).toContain('kind: Job')
    })

    it.each([[['--reset-then-reuse-values']], [['--reuse-values']], [[]]] as [string[]][])(
      'keeps a value that the user gave and that was the default then, as helm does: upgrade with %j',
      async (flags) => {
        const name = '{{ .Release.Name }}'
        const chart = await helm.chart('twin', { 'map.yaml': configTemplate(name, '') })
        const mode = flags[0]?.slice(2).replace('-values', '') as ContentInputs['mode']
        const ours = { name: 'ours', namespace }
        const render = (more: Partial<ContentInputs>): Promise<Content> =>
          renderContent(engine.store, ours, { source: chart, ...more }, {}, ctx)
        const set = [{ flag: 'set', text: 'value=default' }] as const

        await helm.run(namespace, 'install', 'theirs', chart)
        await helm.run(namespace, 'upgrade', 'theirs', chart, '--set', 'value=default')
        await finish(install(engine, await render({}), {}, ctx))
        await finish(upgrade(engine, await render({ set }), {}, ctx))
        await writeFile(join(chart, 'values.yaml'), 'value: changed\n')
        await helm.run(namespace, 'upgrade', 'theirs', chart, ...flags)
        await finish(upgrade(engine, await render(mode === undefined ? {} : { mode }), {}, ctx))

        expect(await maps()).toEqual({ ours: { value: 'default' }, theirs: { value: 'default' } })
        const values = (release: string): Promise<string> =>
          helm.run(namespace, 'get', 'values', release, '-o', 'json')
        expect(await values('ours')).toBe(await values('theirs'))
        const revisions = await engine.store.history('ours', namespace, ctx)
        expect(revisions).toHaveLength((await engine.store.history('theirs', namespace, ctx)).length)
      },
    )

    it('that helm installed keeps an object that lost its marks, and not one that another release has marked', async () => {
      await helm.run(namespace, 'install', 'shop', await shopChart())
      const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'changing' }
      const mark = (annotations: object | null): Promise<KubeObject> =>
        patchObject(target.cluster, ref, { metadata: { annotations } }, { type: 'merge' }, ctx)
      await mark({ 'meta.helm.sh/release-name': 'other' })
      const take = { conflicts: 'force' } as const
      await expect(finish(upgrade(engine, content('two'), take, ctx))).rejects.toMatchObject({
        code: 'release.not-owned',
      })
      await mark(null)
      await finish(upgrade(engine, content('two'), take, ctx))
      expect(await maps()).toEqual({ changing: { value: 'two' }, coming: { value: 'two' } })
    })

    it('that helm is at work on is left to it, and taken over once it has been for too long', async () => {
      await helm.run(namespace, 'install', 'shop', await shopChart())
      const ref = { group: '', version: 'v1', kind: 'Secret', namespace, name: 'sh.helm.release.v1.shop.v1' }
      const begun = await asPending(ref, new Date())
      await expect(finish(upgrade(engine, content('two'), {}, ctx))).rejects.toMatchObject({
        code: 'release.locked',
      })
      expect((await getObject(target.cluster, ref, ctx))?.metadata.resourceVersion).toBe(begun)
      await asPending(ref, new Date(Date.now() - 600_000))
      await finish(upgrade(engine, content('two'), {}, ctx))
      expect(await history()).toEqual(['failed', 'deployed'])
    })

    /** The record as helm leaves it while it works, and when it is killed. */
    async function asPending(ref: ObjectRef, since: Date): Promise<string | undefined> {
      const secret = await getObject(target.cluster, ref, ctx)
      const data = secret?.['data'] as { release: string }
      const zipped = Buffer.from(Buffer.from(data.release, 'base64').toString(), 'base64')
      const release = JSON.parse(gunzipSync(zipped).toString()) as { info: Record<string, unknown> }
      const info = { ...release.info, status: 'pending-upgrade', last_deployed: since.toISOString() }
      const text = gzipSync(JSON.stringify({ ...release, info })).toString('base64')
      const patch = {
        metadata: { labels: { status: 'pending-upgrade' } },
        data: { release: Buffer.from(text).toString('base64') },
      }
      const { metadata } = await patchObject(target.cluster, ref, patch, { type: 'merge' }, ctx)
      return metadata.resourceVersion
    }

    async function shopChart(): Promise<string> {
      return helm.chart('shop', {
        'maps.yaml': [
          configTemplate('changing', '  extra: "yes"\n'),
          configTemplate('leaving', ''),
          deploymentTemplate,
        ].join('---\n'),
      })
    }

    function content(value: string): Content {
      const map = (name: string): KubeObject => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { value },
      })
      return {
        release: { name: 'shop', namespace },
        objects: [map('changing'), map('coming'), deployment()],
        source: { type: 'manifest', name: 'shop', digest: `sha256:${value}` },
        values: { value },
        userValues: { value },
        provenance: { sources: {} },
      }
    }

    async function list(group: string, kind: string): Promise<readonly KubeObject[]> {
      const { items } = await listObjects(target.cluster, { gvk: { group, version: 'v1', kind }, namespace }, ctx)
      return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    }

    async function maps(): Promise<Record<string, unknown>> {
      return Object.fromEntries((await list('', 'ConfigMap')).map((object) => [object.metadata.name, object['data']]))
    }

    async function deployments(): Promise<string[]> {
      return (await list('apps', 'Deployment')).map(({ metadata }) => metadata.name)
    }

    async function history(): Promise<string[]> {
      const text = await helm.run(namespace, 'history', 'shop', '-o', 'json')
      const statuses = (JSON.parse(text) as { status: string }[]).map(({ status }) => status)
      const own = await engine.store.history('shop', namespace, ctx)
      expect(own.map(({ status }) => status)).toEqual(statuses)
      return statuses
    }
  })
}

function configTemplate(name: string, more: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: {{ .Values.value }}\n${more}`
}

const deploymentTemplate = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "registry.example/web:1" }] }
`

function deployment(): KubeObject {
  const labels = { app: 'web' }
  const containers = [{ name: 'main', image: 'registry.example/web:2' }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  }
}

function hookJob(phases: string): KubeObject {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/migrate:1' }] }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: { 'helm.sh/hook': phases } },
    spec: { backoffLimit: 0, template: { spec } },
  }
}

async function finish<T>(operation: AsyncGenerator<LadingEvent, T>): Promise<T> {
  let step = await operation.next()
  while (step.done !== true) step = await operation.next()
  return step.value
}

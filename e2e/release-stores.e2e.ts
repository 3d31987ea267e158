import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { context } from '../src/core/index.ts'
import { readObjects } from '../src/core/yaml/index.ts'
import { applySet, type Connected, connect, createObject, deleteObject, getObject } from '../src/kube/index.ts'
import type { ReleaseRecord } from '../src/release/record/record.ts'
import { releaseStoreContract } from '../src/release/storage/contract.ts'
import { kubeStorages } from '../src/release/storage/contract/kube-storages.ts'
import { kubeTarget } from '../src/release/storage/contract/kube-target.ts'
import { createStore } from '../src/release/storage/create-store.ts'
import type { ReleaseStore } from '../src/release/storage/release-store.ts'
import { noNpmClients, npmClients } from '../testbed/npm-clients.ts'

const runner = { describe, it, beforeAll, afterAll }

for (const [name, storage] of Object.entries(kubeStorages)) {
  releaseStoreContract(runner, `${name} of a real API server`, async () => {
    const cluster = await connect({ kubeconfig: inject('kubeconfig'), context: 'admin' }, context())
    const target = await kubeTarget(cluster, storage)
    return {
      ...target,
      async close() {
        await target.close()
        await cluster.close()
      },
    }
  })
}

describe.skipIf(noNpmClients !== undefined)('releases that Helm and Lading share', () => {
  const ctx = context()
  const namespace = `stores-helm-${process.pid}`
  const namespaceRef = { group: '', version: 'v1', kind: 'Namespace', name: namespace }
  let cluster: Connected
  let store: ReleaseStore
  let folder: string
  let binary: string

  beforeAll(async () => {
    cluster = await connect({ kubeconfig: inject('kubeconfig'), context: 'admin' }, ctx)
    store = createStore({ driver: 'helm' }, cluster)
    folder = await mkdtemp(join(tmpdir(), 'lading-helm-'))
    binary = (await npmClients())?.helm ?? ''
    await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
    await writeChart(join(folder, 'chart'))
  })

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await deleteObject(cluster, namespaceRef, { wait: false }, ctx)
    await cluster.close()
  })

  it('lets helm list, show, roll back and uninstall what Lading installed', async () => {
    const first = await release('shop', 1, 'one')
    await store.update(await store.create(first, ctx), { ...first, state: { status: 'superseded' } }, ctx)
    const second = await release('shop', 2, 'two')
    await store.create(second, ctx)

    const listed = { name: 'shop', namespace, revision: '2', status: 'deployed', chart: 'shop-1.4.2', app_version: '7' }
    expect(await helmJson('list')).toMatchObject([listed])
    expect(await helmJson('history', 'shop')).toMatchObject([
      { revision: 1, status: 'superseded', description: 'revision 1' },
      { revision: 2, status: 'deployed', description: 'revision 2' },
    ])
    expect(await helmJson('get', 'values', 'shop')).toEqual({ greeting: 'two' })
    expect(await helmJson('get', 'values', 'shop', '--all')).toEqual({ greeting: 'two', size: 3 })
    const manifest = await helm('get', 'manifest', 'shop')
    expect(manifest).toContain('---\n# Source: shop/manifest.yaml\napiVersion: v1\nkind: ConfigMap\n')
    expect(readObjects(manifest)).toEqual(readObjects(second.manifest))
    expect(await helm('get', 'hooks', 'shop')).toContain('name: shop-hook')
    expect(await helm('get', 'all', 'shop')).toContain('Visit shop.')
    expect(await helm('status', 'shop')).toContain('STATUS: deployed')

    await helm('rollback', 'shop', '1', '--no-hooks')
    expect(await greeting('shop')).toBe('one')
    const third = await store.get({ name: 'shop', namespace, version: 3 }, ctx)
    expect(third?.record).toMatchObject({
      state: { status: 'deployed' },
      pack: { type: 'manifest', name: 'shop', digest: 'sha256:1' },
      values: { greeting: 'one', size: 3 },
      userValues: { greeting: 'one' },
      manifest: first.manifest,
      inventory: [{ ref: { kind: 'ConfigMap', namespace, name: 'shop' } }],
    })
    // What Helm rewrote still has all that Lading knows of it.
    const moved = await store.get(second, ctx)
    expect(moved?.record).toMatchObject({ state: { status: 'superseded' }, inventory: second.inventory })

    await helm('uninstall', 'shop', '--keep-history', '--no-hooks')
    expect(await getObject(cluster, configMapRef('shop'), ctx)).toBeUndefined()
    const gone = await store.get({ name: 'shop', namespace, version: 3 }, ctx)
    expect(gone?.record.state).toEqual({ status: 'uninstalled' })
    await helm('uninstall', 'shop', '--no-hooks')
    expect(await store.history('shop', namespace, ctx)).toEqual([])
  })

  it('lets helm upgrade what Lading installed, with the values it had', async () => {
    await store.create(await release('grown', 1, 'one'), ctx)
    await helm('upgrade', 'grown', join(folder, 'chart'), '--reuse-values', '--set', 'extra=more', '--take-ownership')
    const next = await store.get({ name: 'grown', namespace, version: 2 }, ctx)
    expect(next?.record).toMatchObject({
      pack: { type: 'chart', name: 'demo', version: '0.3.0' },
      values: { greeting: 'one', extra: 'more', size: 3 },
    })
    expect(await store.history('grown', namespace, ctx)).toMatchObject([
      { version: 1, status: 'superseded' },
      { version: 2, status: 'deployed' },
    ])
    await helm('uninstall', 'grown')
  })

  it('shows every state to helm as Helm has it', async () => {
    const at = '2026-01-02T03:04:05Z'
    const states = {
      'pending-install': { status: 'pending-install', started_at: at, timeout: 60 },
      'pending-upgrade': { status: 'pending-upgrade', started_at: at, timeout: 60, previous_version: 1 },
      'pending-rollback': { status: 'pending-rollback', started_at: at, timeout: 60, target_version: 1 },
      uninstalling: { status: 'pending-uninstall', started_at: at, timeout: 60 },
      failed: { status: 'failed', reason: 'no image', recoverable: true, failed_at: at },
      uninstalled: { status: 'uninstalled' },
    } as const
    const base = await release('states', 1, 'one')
    let version = 0
    for (const state of Object.values(states)) await store.create({ ...base, version: ++version, state }, ctx)
    const history = (await helmJson('history', 'states')) as { status: string; description: string }[]
    expect(history.map(({ status }) => status)).toEqual(Object.keys(states))
    expect(history[4]?.description).toBe('no image')
    await helm('uninstall', 'states').catch(() => '')
  })

  it('reads what helm installed, and goes on with it', async () => {
    await helm('install', 'demo', join(folder, 'chart'), '--set', 'greeting=hi', '--labels', 'team=web')
    const installed = await store.get({ name: 'demo', namespace, version: 1 }, ctx)
    expect(installed?.record).toMatchObject({
      state: { status: 'deployed' },
      pack: { type: 'chart', name: 'demo', version: '0.3.0', appVersion: '9.1' },
      values: { greeting: 'hi', size: 1, nested: { deep: true } },
      userValues: { greeting: 'hi' },
      labels: { team: 'web' },
      notes: 'Thank you for demo.',
      description: 'Install complete',
      inventory: [{ ref: { kind: 'ConfigMap', namespace, name: 'demo' } }],
      hooks: [
        {
          phases: ['post-install', 'test'],
          weight: 7,
          path: 'demo/templates/hook.yaml',
          object: { kind: 'ConfigMap' },
        },
      ],
    })
    expect(await store.list(namespace, ctx)).toMatchObject([{ name: 'demo', version: 1, status: 'deployed' }])
    if (installed === undefined) return

    await store.update(installed, { ...installed.record, state: { status: 'superseded' } }, ctx)
    const second = { ...installed.record, version: 2, manifest: configMapManifest('demo', 'by Lading') }
    await apply(second)
    const created = await store.create({ ...second, description: 'Upgraded by Lading' }, ctx)
    expect(await helmJson('history', 'demo')).toMatchObject([
      { revision: 1, status: 'superseded', chart: 'demo-0.3.0', app_version: '9.1' },
      { revision: 2, status: 'deployed', chart: 'demo-0.3.0', description: 'Upgraded by Lading' },
    ])
    await helm('rollback', 'demo', '1')
    expect(await greeting('demo')).toBe('hi')
    await expect(store.update(created, second, ctx)).rejects.toMatchObject({ code: 'release.changed' })
    await helm('upgrade', 'demo', join(folder, 'chart'), '--reuse-values')
    expect(await helmJson('get', 'values', 'demo')).toEqual({ greeting: 'hi' })
    await helm('uninstall', 'demo')
    expect(await store.history('demo', namespace, ctx)).toEqual([])
  })

  async function helm(...args: string[]): Promise<string> {
    const options = ['--kubeconfig', inject('kubeconfig'), '--kube-context', 'admin', '--namespace', namespace]
    const env = { PATH: process.env['PATH'], HOME: folder }
    const { stdout } = await promisify(execFile)(binary, [...args, ...options], { env })
    return stdout
  }

  async function helmJson(...args: string[]): Promise<unknown> {
    return JSON.parse(await helm(...args, '--output', 'json'))
  }

  /** A revision as an install by Lading leaves it, its objects in the cluster. */
  async function release(name: string, version: number, text: string): Promise<ReleaseRecord> {
    const hook = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-hook` } }
    const record: ReleaseRecord = {
      name,
      namespace,
      version,
      state: { status: 'deployed' },
      pack: { type: 'manifest', name: 'shop', version: '1.4.2', appVersion: '7', digest: `sha256:${version}` },
      values: { greeting: text, size: 3 },
      userValues: { greeting: text },
      valuesProvenance: { sources: { greeting: 'command-line' } },
      manifest: configMapManifest(name, text),
      hooks: [{ object: hook, phases: ['post-upgrade'], weight: 1 }],
      inventory: [{ ref: configMapRef(name), hash: `sha256:${version}`, resourceVersion: '1' }],
      labels: {},
      createdAt: '2026-01-02T03:04:05Z',
      updatedAt: '2026-01-02T03:04:05Z',
      notes: `Visit ${name}.`,
      description: `revision ${version}`,
    }
    await apply(record)
    return record
  }

  async function apply(record: ReleaseRecord): Promise<void> {
    const options = { namespace, conflicts: 'force' } as const
    for await (const event of applySet(cluster, readObjects(record.manifest), options, ctx)) void event
  }

  function configMapRef(name: string): {
    group: string
    version: string
    kind: string
    namespace: string
    name: string
  } {
    return { group: '', version: 'v1', kind: 'ConfigMap', namespace, name }
  }

  async function greeting(name: string): Promise<string | undefined> {
    const live = await getObject(cluster, configMapRef(name), ctx)
    return (live?.['data'] as Record<string, string> | undefined)?.['greeting']
  }
})

function configMapManifest(name: string, text: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  greeting: ${text}\n`
}

async function writeChart(path: string): Promise<void> {
  await mkdir(join(path, 'templates'), { recursive: true })
  await writeFile(join(path, 'Chart.yaml'), 'apiVersion: v2\nname: demo\nversion: 0.3.0\nappVersion: "9.1"\n')
  await writeFile(join(path, 'values.yaml'), 'greeting: hello\nsize: 1\nnested:\n  deep: true\n')
  const name = '{{ .Release.Name }}'
  await writeFile(join(path, 'templates', 'map.yaml'), configMapManifest(name, '{{ .Values.greeting }}'))
  const annotations = '  annotations:\n    helm.sh/hook: post-install,test\n    helm.sh/hook-weight: "7"\n'
  const hook = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}-hook\n${annotations}`
  await writeFile(join(path, 'templates', 'hook.yaml'), hook)
  await writeFile(join(path, 'templates', 'NOTES.txt'), `Thank you for ${name}.`)
}

import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import { connect, type Connected, deleteObject, getObject, waitForReady } from '../src/kube/index.ts'
import { type Content, createStore, drift, uninstall, upgrade, type ReleaseEngine } from '../src/release/index.ts'
import { config, hook, namespaceObject } from '../src/release/testdata/release-objects.ts'
import { finish } from '../src/release/testdata/sandbox-releases.ts'

// Here the controllers are real: that of namespaces, which takes lock and records along, and that of Jobs that have had their time.
const ctx = context()
const unique = `own-${process.pid.toString(36)}${Date.now().toString(36)}`
let cluster: Connected
let engine: ReleaseEngine

beforeAll(async () => {
  cluster = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
  engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
})

afterAll(async () => {
  for (const name of [`${unique}-1`, `${unique}-2`]) await deleteObject(cluster, homeOf(name), { wait: false }, ctx)
  await cluster.close()
})

it('a release that brings its own namespace takes it along, with lock and records', async () => {
  const release = { name: 'shop', namespace: `${unique}-1` }
  const home = namespaceObject(release.namespace)
  await put(release, home, config('a', '1'), hook('bye', 'post-delete'))
  await put(release, { ...home, metadata: { ...home.metadata, labels: { team: 'web' } } }, config('a', '2'))
  const { objects } = await finish(uninstall(engine, release, { timeoutMs: 60_000 }, ctx))
  expect(objects.map(({ ref, action }) => `${ref.kind} ${action}`)).toEqual(['ConfigMap deleted', 'Namespace deleted'])
  expect(await getObject(cluster, homeOf(release.namespace), ctx)).toBeUndefined()
  expect(await engine.store.history('shop', release.namespace, ctx)).toEqual([])
})

it('a Job that its time to live removed is not run again, and is no drift', async () => {
  const release = { name: 'shop', namespace: `${unique}-2` }
  const job = hook('once', '', { spec: { ttlSecondsAfterFinished: 0 } })
  const objects = [namespaceObject(release.namespace), { ...job, metadata: { name: 'once' } }, config('a', '1')]
  await put(release, ...objects)
  const ref = { group: 'batch', version: 'v1', kind: 'Job', namespace: release.namespace, name: 'once' }
  for await (const _ of waitForReady(cluster, [ref], { until: 'Deleted', timeoutMs: 60_000 }, ctx)) {
    // Only that it goes matters.
  }
  expect(await put(release, ...objects)).toBe('unchanged')
  expect((await drift(engine, release, {}, ctx)).drifted).toBe(false)
})

async function put(release: Content['release'], ...objects: KubeObject[]): Promise<string> {
  const content: Content = {
    release,
    objects,
    source: { type: 'manifest', name: 'shop', digest: `sha256:${JSON.stringify(objects)}` },
    values: {},
    provenance: { sources: {} },
  }
  return (
    await finish(upgrade(engine, content, { install: true, wait: true, waitForJobs: true, timeoutMs: 60_000 }, ctx))
  ).outcome
}

function homeOf(name: string): { group: string; version: string; kind: string; name: string } {
  return { group: '', version: 'v1', kind: 'Namespace', name }
}

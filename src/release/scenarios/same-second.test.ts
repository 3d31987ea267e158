import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, systemClock } from '../../core/index.ts'
import { applyObject, connect, type Connected, createObject, getObject } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { drift } from '../diff/drift.ts'
import type { Content } from '../intent.ts'
import { install, upgrade } from '../run/operations.ts'
import { createStore } from '../storage/create-store.ts'
import { config, namespaceObject } from '../testdata/release-objects.ts'
import { finish } from '../testdata/sandbox-releases.ts'

const ctx = context()
const release = { name: 'shop', namespace: 'shop' }
const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' }

describe('a write of a process that lost its lock, in the second in which the new holder wrote the same object', () => {
  let sandbox: Sandbox
  let cluster: Connected
  let engine: ReleaseEngine
  beforeAll(async () => {
    // The times in managedFields are whole seconds: with a clock that stands still every write is in the same one.
    const now = Date.now()
    sandbox = await startSandbox({ clock: { ...systemClock, now: () => now } })
    cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
    await createObject(cluster, namespaceObject('shop'), {}, ctx)
    await finish(install(engine, content, {}, ctx))
    const annotations = { 'lading.dev/release-name': 'shop', 'lading.dev/release-namespace': 'shop' }
    const late = config('settings', 'late', annotations)
    const inNamespace = { ...late, metadata: { ...late.metadata, namespace: 'shop' } }
    await applyObject(cluster, inNamespace, { fieldManager: 'lading' }, ctx)
  })
  afterAll(async () => {
    await cluster.close()
    await sandbox.stop()
  })

  it('is shown as drift', async () => {
    const { drifted, objects } = await drift(engine, release, {}, ctx)
    expect(drifted).toBe(true)
    expect(objects).toMatchObject([{ ref: { name: 'settings' }, drift: { state: 'modified' } }])
  })

  it('is set right by the next upgrade', async () => {
    const { outcome } = await finish(upgrade(engine, content, {}, ctx))
    expect(outcome).toBe('deployed')
    expect(await getObject(cluster, ref, ctx)).toMatchObject({ data: { value: 'wanted' } })
  })
})

const content: Content = {
  release,
  objects: [config('settings', 'wanted')],
  source: { type: 'manifest', name: 'shop', digest: 'sha256:1' },
  values: {},
  provenance: { sources: {} },
}

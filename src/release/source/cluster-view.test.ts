import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { connect, createObject, deleteObject } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { shopCrd } from '../testdata/release-objects.ts'
import { clusterView } from './cluster-view.ts'

const ctx = context()

describe('what a chart learns of the cluster', () => {
  let sandbox: Sandbox
  let folder = ''

  beforeAll(async () => {
    sandbox = await startSandbox()
    folder = await mkdtemp(join(tmpdir(), 'lading-view-'))
  })
  afterAll(async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })

  it('is what the cluster serves now, although a CRD came or went since an earlier command', async () => {
    const somebody = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    const serves = async (): Promise<boolean> => {
      // Each command is a connection of its own; they share the cache on the disk.
      const command = await connect({ kubeconfig: sandbox.kubeconfig, discoveryCacheDir: folder }, ctx)
      const { apiVersions } = await clusterView(command).capabilities(ctx)
      await command.close()
      return apiVersions.includes('view.example/v1/Shop')
    }
    expect(await serves()).toBe(false)
    await createObject(somebody, shopCrd('view.example', ['v1']), {}, ctx)
    await expect.poll(serves).toBe(true)
    const crd = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    await deleteObject(somebody, { ...crd, name: 'shops.view.example' }, {}, ctx)
    await expect.poll(serves).toBe(false)
    await somebody.close()
  })
})

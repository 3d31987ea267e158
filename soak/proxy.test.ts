import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import { connect, type Connected, createObject, watchObjects } from '../src/kube/index.ts'
import { openCluster, type SoakCluster } from './clusters.ts'
import { type FaultProxy, startProxy } from './proxy.ts'
import { writeProxyConfig } from './release-world.ts'

const ctx = context()
const config = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
})

describe('the proxy', () => {
  let target: SoakCluster
  let proxy: FaultProxy
  let folder: string
  let client: Connected
  beforeAll(async () => {
    target = await openCluster('sandbox')
    proxy = await startProxy(target.upstream)
    folder = await mkdtemp(join(tmpdir(), 'lading-proxy-'))
    const kubeconfig = await writeProxyConfig(folder, proxy.url, 'of the client')
    client = await connect({ kubeconfig, transport: { retry: { attempts: 1, throttledAttempts: 1 } } }, ctx)
  })
  afterAll(async () => {
    await client.close()
    await proxy.close()
    await target.close()
    await rm(folder, { recursive: true })
  })

  it('passes requests and watches on, with the credentials of the cluster', async () => {
    proxy.arm()
    const seen: string[] = []
    const query = { gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, namespace: 'default' }
    for await (const event of watchObjects(client, query, ctx)) {
      if (event.type === 'synced') await createObject(client, config('passed'), {}, ctx)
      if (event.type === 'added') seen.push(event.object.metadata.name)
      if (seen.includes('passed')) break
    }
    expect(seen).toContain('passed')
  })

  it('answers in the place of the server, and counts only writes that change something', async () => {
    const counted: boolean[] = []
    proxy.arm({
      async before(request) {
        counted.push(request.counted)
        return { type: 'answer', status: 503, reason: 'ServiceUnavailable' }
      },
    })
    await expect(createObject(client, config('refused'), {}, ctx)).rejects.toMatchObject({ code: 'kube.server-error' })
    await expect(createObject(client, config('tried'), { dryRun: true }, ctx)).rejects.toMatchObject({
      code: 'kube.server-error',
    })
    expect(counted).toEqual([true, false])
  })

  it('loses the answer to a write that was carried out', async () => {
    proxy.arm({ after: async () => ({ type: 'cut' }) })
    await expect(createObject(client, config('lost'), {}, ctx)).rejects.toMatchObject({ code: 'kube.unreachable' })
    await proxy.idle()
    proxy.arm()
    await expect(createObject(client, config('lost'), {}, ctx)).rejects.toMatchObject({ code: 'kube.already-exists' })
  })
})

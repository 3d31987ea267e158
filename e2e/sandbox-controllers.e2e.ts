import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import { type Cluster, connect } from '../src/kube/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { byText, comparable } from './fixtures/comparable-objects.ts'
import { controllerSteps, post } from './fixtures/controller-steps.ts'

const ctx = context()
const namespace = `controllers-${randomBytes(4).toString('hex')}`

describe('controllers of the sandbox and of a real control plane', () => {
  let sandbox: Sandbox
  let real: Cluster & { close(): Promise<void> }
  let embedded: Cluster & { close(): Promise<void> }

  beforeAll(async () => {
    real = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
    // As many nodes as there are, for DaemonSets.
    const nodes = await items(real, '/api/v1/nodes')
    sandbox = await startSandbox({ nodes: nodes.length })
    embedded = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    for (const cluster of [real, embedded]) {
      await post(cluster, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      await settled(cluster, `/api/v1/namespaces/${namespace}/serviceaccounts/default`, () => true)
    }
  })

  afterAll(async () => {
    await real.transport.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` }, ctx)
    await real.close()
    await embedded.close()
    await sandbox.stop()
  })

  it.each(controllerSteps(namespace))('agree after: $name', async ({ write, path, done, compare }) => {
    const clusters = [real, embedded]
    await Promise.all(
      clusters.map(async (cluster) => {
        await write(cluster)
        await settled(cluster, path, done)
      }),
    )
    const look = async (cluster: Cluster): Promise<unknown> =>
      Promise.all(
        compare.map(async (list) => {
          const objects = await items(cluster, list)
          return objects.map((object) => comparable(object, list.includes('/pods'))).sort(byText)
        }),
      )
    // What follows from the last change (old Pods that go, counts that follow them) takes as long as it takes.
    await vi.waitFor(
      async () => {
        const [theirs, ours] = await Promise.all(clusters.map(look))
        expect(ours).toEqual(theirs)
      },
      { timeout: 120_000, interval: 200 },
    )
  })
})

async function settled(cluster: Cluster, path: string, done: (object: KubeObject) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const object = await get(cluster, path)
    if (object !== undefined && done(object)) return
    await ctx.clock.sleep(50)
  }
  throw new Error(`${path} did not settle: ${JSON.stringify(await get(cluster, path))}`)
}

async function get(cluster: Cluster, path: string): Promise<KubeObject | undefined> {
  try {
    return (await cluster.transport.request({ method: 'GET', path }, ctx)).body as KubeObject
  } catch {
    return undefined
  }
}

async function items(cluster: Cluster, path: string): Promise<KubeObject[]> {
  const [at = '', query = ''] = path.split('?')
  const response = await cluster.transport.request(
    { method: 'GET', path: at, query: Object.fromEntries(new URLSearchParams(query)) },
    ctx,
  )
  return (response.body as { items: KubeObject[] }).items
}

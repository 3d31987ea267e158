import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import type { Cluster } from '../src/kube/index.ts'
import { byText, comparable } from './fixtures/comparable-objects.ts'
import { controllerSteps } from './fixtures/controller-steps.ts'
import { freshName, openComparedClusters, type ComparedClusters } from './fixtures/compared-clusters.ts'

const ctx = context()
const namespace = freshName('controllers')

describe('controllers of the sandbox and of a real control plane', () => {
  let clusters: ComparedClusters

  beforeAll(async () => {
    clusters = await openComparedClusters(namespace)
  })
  afterAll(() => clusters.close())

  it.each(controllerSteps(namespace))('agree after: $name', async ({ write, path, done, compare }) => {
    await Promise.all(
      clusters.both.map(async (cluster) => {
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
        const [theirs, ours] = await Promise.all(clusters.both.map(look))
        expect(ours).toEqual(theirs)
      },
      { timeout: 120_000, interval: 200 },
    )
  })
})

async function settled(cluster: Cluster, path: string, done: (object: KubeObject) => boolean): Promise<void> {
  const look = async (): Promise<void> => {
    const object = await get(cluster, path)
    if (object === undefined || !done(object)) throw new Error(`${path} did not settle: ${JSON.stringify(object)}`)
  }
  await vi.waitFor(look, { timeout: 120_000, interval: 50 })
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

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSandbox, type TestClient } from '../../testing/sandbox-client.ts'

const pods = '/api/v1/namespaces/default/pods'

let client: TestClient
beforeAll(async () => {
  client = await openSandbox()
})
afterAll(() => client.stop())

async function createPod(name: string): Promise<string> {
  // A scheduler that is not there leaves the pod to the test.
  const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'i' }] }
  await client.request('POST', pods, { metadata: { name }, spec })
  return `${pods}/${name}`
}

it('a pod is bound to a node once', async () => {
  const path = await createPod('bound')
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'bound' },
    target: { kind: 'Node', name: 'n' },
  }
  const first = await client.request('POST', `${path}/binding`, binding)
  expect([first.code, first.body['status']]).toEqual([201, 'Success'])
  const { body } = await client.request('GET', path)
  expect(body).toMatchObject({ spec: { nodeName: 'n' } })
  expect(JSON.stringify(body['status'])).toContain('PodScheduled')
  const second = await client.request('POST', `${path}/binding`, binding)
  expect([second.code, second.body['reason']]).toEqual([409, 'Conflict'])
})

it('an evicted pod is gone', async () => {
  const path = await createPod('evicted')
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } }
  expect((await client.request('POST', `${path}/eviction`, eviction)).code).toBe(201)
  expect((await client.request('GET', path)).code).toBe(404)
  expect((await client.request('POST', `${path}/eviction`, eviction)).code).toBe(404)
  expect((await client.request('GET', `${pods}/evicted/eviction`)).code).toBe(405)
})

it('an eviction waits for the budget of the pod', async () => {
  const labels = { app: 'guarded' }
  const spec = { containers: [{ name: 'c', image: 'i' }] }
  await client.request('POST', pods, { metadata: { name: 'guarded', labels }, spec })
  const isReady = '"type":"Ready","status":"True"'
  await client.until(`${pods}?labelSelector=app%3Dguarded`, ({ status }) => JSON.stringify(status).includes(isReady))
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
  await client.request('POST', budgets, {
    metadata: { name: 'guard' },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  })
  await client.until(budgets, ({ status }) => JSON.stringify(status).includes('"currentHealthy":1'))

  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'guarded' } }
  const evict = (): ReturnType<TestClient['request']> => client.request('POST', `${pods}/guarded/eviction`, eviction)
  const refused = await evict()
  expect(refused.code).toBe(429)
  expect(refused.body).toMatchObject({
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message: expect.stringContaining('needs 1 healthy pods') }] },
  })
  await client.request('DELETE', `${budgets}/guard`)
  expect((await evict()).code).toBe(201)
})

it('a service account gives tokens for a time', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await client.request('POST', accounts, { metadata: { name: 'robot' } })
  const order = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } }
  const { code, body } = await client.request('POST', `${accounts}/robot/token`, order)
  expect(code).toBe(201)
  expect(body).toMatchObject({
    kind: 'TokenRequest',
    spec: { expirationSeconds: 600 },
    status: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expirationTimestamp: expect.any(String) },
  })
  expect((await client.request('POST', `${accounts}/none/token`, order)).code).toBe(404)
})

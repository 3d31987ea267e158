import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, patchTypes, type TestClient } from '../../testing/sandbox-client.ts'
import { establish, widgetCrd } from '../../testing/widget-crd.ts'

const sets = '/apis/apps/v1/namespaces/default/replicasets'

let client: TestClient
beforeAll(async () => {
  client = await openSandbox()
})
afterAll(() => client.stop())

async function createSet(name: string): Promise<string> {
  const labels = { app: name, tier: 'x' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const selector = {
    matchLabels: { app: name },
    matchExpressions: [{ key: 'tier', operator: 'In', values: ['y', 'x'] }],
  }
  await client.request('POST', sets, { metadata: { name }, spec: { replicas: 0, selector, template } })
  return `${sets}/${name}/scale`
}

function scaleTo(name: string, replicas: number): Record<string, unknown> {
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace: 'default' }, spec: { replicas } }
}

describe('the scale of a workload', () => {
  it('shows replicas and selector, and leaves zero out', async () => {
    const { body } = await client.request('GET', await createSet('shown'))
    expect(body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'shown', namespace: 'default' },
      spec: {},
      status: { replicas: 0, selector: 'app=shown,tier in (x,y)' },
    })
  })

  it('is written by update, patch and apply, and owned apart from the object', async () => {
    const path = await createSet('written')
    const put = await client.request('PUT', path, scaleTo('written', 2))
    expect([put.code, put.body['spec']]).toEqual([200, { replicas: 2 }])
    const merged = await client.request('PATCH', `${path}?fieldManager=m`, { spec: { replicas: 3 } }, patchTypes.merge)
    expect(merged.body['spec']).toEqual({ replicas: 3 })
    const rival = await client.request('PATCH', `${path}?fieldManager=a`, scaleTo('written', 4), patchTypes.apply)
    expect(rival.code).toBe(409)
    const forced = `${path}?fieldManager=a&force=true`
    expect((await client.request('PATCH', forced, scaleTo('written', 4), patchTypes.apply)).code).toBe(200)
    const { body } = await client.request('GET', `${sets}/written`)
    expect(body['spec']).toMatchObject({ replicas: 4 })
    const { managedFields } = body['metadata'] as { managedFields: Record<string, unknown>[] }
    const own = managedFields.filter(({ subresource }) => subresource === 'scale')
    expect(own).toMatchObject([
      { manager: 'a', operation: 'Apply', apiVersion: 'apps/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ])
  })

  it('is refused below zero, for a stale version, under another name and by other verbs', async () => {
    const path = await createSet('refused')
    const negative = await client.request('PUT', path, scaleTo('refused', -1))
    expect([negative.code, negative.body['details']]).toMatchObject([422, { kind: 'Scale', group: 'autoscaling' }])
    const stale = { ...scaleTo('refused', 1), metadata: { name: 'refused', resourceVersion: '1' } }
    expect((await client.request('PUT', path, stale)).code).toBe(409)
    expect((await client.request('PUT', path, scaleTo('other', 1))).code).toBe(400)
    expect((await client.request('POST', path, {})).code).toBe(405)
    expect((await client.request('DELETE', path)).code).toBe(405)
    expect((await client.request('GET', `${sets}/none/scale`)).code).toBe(404)
  })
})

it('a custom resource is scaled at the paths that its definition names', async () => {
  const group = 'scaled.example.com'
  await establish(client, widgetCrd(group))
  const widgets = `/apis/${group}/v1/namespaces/default/widgets`
  const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } }
  await client.request('POST', widgets, widget)
  await client.request('PATCH', `${widgets}/a/status`, { status: { replicas: 1, selector: 'a=b' } }, patchTypes.merge)
  const { body } = await client.request('PATCH', `${widgets}/a/scale`, { spec: { replicas: 5 } }, patchTypes.merge)
  expect(body).toMatchObject({ spec: { replicas: 5 }, status: { replicas: 1, selector: 'a=b' } })
  const { body: scaled } = await client.request('GET', `${widgets}/a`)
  expect(scaled).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5, size: 1 } })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, patchTypes, type TestAnswer, type TestClient } from '../testing/sandbox-client.ts'
import { establish, widgetCrd } from '../testing/widget-crd.ts'

const group = 'custom.example.com'
const widgets = `/apis/${group}/v1/namespaces/default/widgets`
const betas = `/apis/${group}/v1beta1/namespaces/default/widgets`

let client: TestClient
beforeAll(async () => {
  client = await openSandbox()
  await establish(client, widgetCrd(group))
})
afterAll(() => client.stop())

function widget(name: string, spec: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name }, spec, ...more }
}

async function createWidget(name: string, spec: unknown): Promise<TestAnswer> {
  return client.request('POST', widgets, widget(name, spec))
}

function merge(path: string, patch: unknown): Promise<TestAnswer> {
  return client.request('PATCH', path, patch, patchTypes.merge)
}

describe('a custom resource', () => {
  it('is pruned, completed, and owned by its writer', async () => {
    const sent = widget('pruned', { size: 3, unknown: 1, any: { x: { y: 1 } } }, { status: { phase: 'x' }, extra: 1 })
    const { code, body, warning } = await client.request('POST', widgets, sent)
    expect(code).toBe(201)
    expect(body['spec']).toEqual({ size: 3, any: { x: { y: 1 } }, replicas: 1, color: 'red' })
    expect(body).not.toHaveProperty('status')
    expect(body).not.toHaveProperty('extra')
    expect(warning).toContain('spec.unknown')
    expect(body['metadata']).toMatchObject({
      generation: 1,
      managedFields: [
        {
          manager: 'test',
          operation: 'Update',
          fieldsV1: {
            'f:spec': {
              '.': {},
              'f:any': { '.': {}, 'f:x': { '.': {}, 'f:y': {} } },
              'f:color': {},
              'f:replicas': {},
              'f:size': {},
            },
          },
        },
      ],
    })
  })

  it.each([
    ['a missing field', {}, 'FieldValueRequired', 'spec.size'],
    ['a value out of range', { size: 11 }, 'FieldValueInvalid', 'spec.size'],
    ['a value of another type', { size: 'x' }, 'FieldValueTypeInvalid', 'spec.size'],
    ['a value that is not listed', { size: 1, color: 'green' }, 'FieldValueNotSupported', 'spec.color'],
    ['an item that is there twice', { size: 1, tags: ['a', 'a'] }, 'FieldValueDuplicate', 'spec.tags[1]'],
    ['a broken rule', { size: 1, min: 5 }, 'FieldValueInvalid', 'spec'],
  ])('is refused with %s', async (_name, spec, reason, field) => {
    const { code, body } = await createWidget('refused', spec)
    expect(code).toBe(422)
    const { causes } = body['details'] as { causes: { reason: string; field: string }[] }
    expect(causes[0]).toMatchObject({ reason, field })
  })

  it('must name its kind, and the version of the path', async () => {
    expect((await client.request('POST', widgets, { metadata: { name: 'z' }, spec: { size: 1 } })).code).toBe(400)
    const other = { ...widget('z', { size: 1 }), apiVersion: `${group}/v1beta1` }
    expect((await client.request('POST', widgets, other)).code).toBe(400)
    expect((await client.request('POST', widgets, { ...widget('z', { size: 1 }), kind: 'Gadget' })).code).toBe(422)
  })

  it('may not change what a rule fixes, and is not held to rules that ask for unknown functions', async () => {
    await createWidget('ruled', { size: 1, fixed: 'a', weight: '0' })
    const { code, body } = await merge(`${widgets}/ruled`, { spec: { fixed: 'b' } })
    expect([code, body['message']]).toEqual([
      422,
      `Widget.${group} "ruled" is invalid: spec.fixed: Invalid value: "b": fixed`,
    ])
    expect((await merge(`${widgets}/ruled`, { spec: { size: 2 } })).code).toBe(200)
  })

  it('counts its generation by changes outside of metadata and status', async () => {
    await createWidget('counted', { size: 1 })
    const generations: unknown[] = []
    for (const [path, patch] of [
      [`${widgets}/counted`, { metadata: { labels: { a: 'b' } } }],
      [`${widgets}/counted/status`, { status: { phase: 'x' }, spec: { size: 9 } }],
      [`${widgets}/counted`, { status: { phase: 'ignored' } }],
      [`${widgets}/counted`, { spec: { size: 2 } }],
      [`${widgets}/counted`, { spec: { size: 2 } }],
    ] as const) {
      const { body } = await merge(path, patch)
      generations.push((body['metadata'] as { generation: number }).generation)
    }
    expect(generations).toEqual([1, 1, 1, 2, 2])
    const { body } = await client.request('GET', `${widgets}/counted`)
    expect(body['status']).toEqual({ phase: 'x' })
  })

  it('is served in every version, whichever it was written in', async () => {
    await createWidget('shared', { size: 1 })
    const { body: beta } = await merge(`${betas}/shared`, { spec: { size: 2 } })
    expect(beta['apiVersion']).toBe(`${group}/v1beta1`)
    const { body: stable } = await client.request('GET', `${widgets}/shared`)
    expect(stable).toMatchObject({ apiVersion: `${group}/v1`, spec: { size: 2 } })
    const { body: list } = await client.request('GET', `${betas}?fieldSelector=metadata.name=shared`)
    expect(list).toMatchObject({ apiVersion: `${group}/v1beta1`, items: [{ apiVersion: `${group}/v1beta1` }] })
    const watched = await client.until(betas, (object) => object.metadata.name === 'shared')
    expect(watched.apiVersion).toBe(`${group}/v1beta1`)
  })

  it('is applied by server-side apply, and refuses fields that are not declared', async () => {
    const path = `${widgets}/applied?fieldManager=one`
    const applied = await client.request('PATCH', path, widget('applied', { size: 1 }), patchTypes.apply)
    expect([applied.code, applied.body['spec']]).toEqual([201, { size: 1, replicas: 1, color: 'red' }])
    const rival = await client.request(
      'PATCH',
      `${widgets}/applied?fieldManager=two`,
      widget('applied', { size: 2 }),
      patchTypes.apply,
    )
    expect([rival.code, rival.body['reason']]).toEqual([409, 'Conflict'])
    const stray = await client.request('PATCH', path, widget('applied', { size: 1, stray: 1 }), patchTypes.apply)
    expect(stray.code).toBe(500)
    expect(stray.body['message']).toContain('.spec.stray: field not declared in schema')
  })

  it('needs its version for an update', async () => {
    await createWidget('updated', { size: 1 })
    const { code, body } = await client.request('PUT', `${widgets}/updated`, widget('updated', { size: 2 }))
    expect([code, (body['details'] as { causes: object[] }).causes]).toMatchObject([
      422,
      [{ field: 'metadata.resourceVersion' }],
    ])
  })
})

it('an object of a definition without status subresource counts status as any field', async () => {
  const plain = 'plain.example.com'
  await establish(
    client,
    widgetCrd(plain, ({ spec }) => {
      for (const version of spec['versions'] as Record<string, unknown>[]) delete version['subresources']
    }),
  )
  const path = `/apis/${plain}/v1/namespaces/default/widgets`
  const sent = { ...widget('a', { size: 1 }, { status: { phase: 'x' } }), apiVersion: `${plain}/v1` }
  const { body: created } = await client.request('POST', path, sent)
  expect(created['status']).toEqual({ phase: 'x' })
  const { body } = await merge(`${path}/a`, { status: { phase: 'y' } })
  expect(body['metadata']).toMatchObject({ generation: 2 })
  expect((await client.request('GET', `${path}/a/status`)).code).toBe(404)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRecord } from '../../core/index.ts'
import { openSandbox, patchTypes, type TestClient } from '../testing/sandbox-client.ts'
import { crdsPath, establish, widgetCrd } from '../testing/widget-crd.ts'

let client: TestClient
beforeAll(async () => {
  client = await openSandbox()
})
afterAll(() => client.stop())

describe('a CustomResourceDefinition', () => {
  it('is established soon after its creation, which does not say so yet', async () => {
    const crd = widgetCrd('soon.example.com')
    const { code, body } = await client.request('POST', crdsPath, crd)
    expect(code).toBe(201)
    expect(body['status']).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    })
    expect(body['spec']).toMatchObject({
      names: { singular: 'widget', listKind: 'WidgetList' },
      conversion: { strategy: 'None' },
    })
    const established = await client.until(`${crdsPath}?fieldSelector=metadata.name=${crd.metadata.name}`, (object) =>
      JSON.stringify(object).includes('InitialNamesAccepted'),
    )
    expect(established['status']).toMatchObject({
      conditions: [
        { type: 'NamesAccepted', status: 'True' },
        { type: 'Established', status: 'True' },
      ],
      acceptedNames: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['wd'],
      },
    })
    expect(
      established.metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource]),
    ).toContainEqual(['kube-apiserver', 'status'])
    const { body: found } = await client.request('GET', '/apis/soon.example.com')
    expect(found).toMatchObject({ preferredVersion: { version: 'v1' } })
  })

  it('is not established while another one has its names', async () => {
    await establish(client, widgetCrd('taken.example.com'))
    const rival = widgetCrd('taken.example.com', ({ spec }) => {
      spec['names'] = { plural: 'gadgets', kind: 'Widget' }
    })
    rival.metadata.name = 'gadgets.taken.example.com'
    await client.request('POST', crdsPath, rival)
    const refused = await client.until(`${crdsPath}?fieldSelector=metadata.name=${rival.metadata.name}`, (object) =>
      JSON.stringify(object).includes('NotAccepted'),
    )
    expect(refused['status']).toMatchObject({
      conditions: [
        { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict' },
        { type: 'Established', status: 'False' },
      ],
      acceptedNames: { plural: 'gadgets', kind: '' },
    })
    expect((await client.request('GET', '/apis/taken.example.com/v1/gadgets')).code).toBe(404)
  })

  it('takes its objects along when it is deleted, after their finalizers', async () => {
    const group = 'going.example.com'
    const crd = await establish(client, widgetCrd(group))
    const widgets = `/apis/${group}/v1/namespaces/default/widgets`
    const widget = {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'a', finalizers: ['example.com/hold'] },
      spec: { size: 1 },
    }
    await client.request('POST', widgets, widget)
    const { body: marked } = await client.request('DELETE', `${crdsPath}/${crd.metadata.name}`)
    expect(marked['metadata']).toMatchObject({ finalizers: ['customresourcecleanup.apiextensions.k8s.io'] })
    await client.until(widgets, (object) => object.metadata.deletionTimestamp !== undefined)
    const late = await client.request('POST', widgets, { ...widget, metadata: { name: 'b' } })
    expect([late.code, late.body['reason']]).toEqual([403, 'Forbidden'])
    const gone = client.until(
      `${crdsPath}?fieldSelector=metadata.name=${crd.metadata.name}`,
      (_object, type) => type === 'DELETED',
    )
    await client.request('PATCH', `${widgets}/a`, { metadata: { finalizers: null } }, patchTypes.merge)
    await gone
    expect((await client.request('GET', widgets)).code).toBe(404)
  })

  it('keeps the versions that objects were stored in, and what they are stored under', async () => {
    const crd = await establish(client, widgetCrd('stored.example.com'))
    const path = `${crdsPath}/${crd.metadata.name}`
    const versions = (crd['spec'] as { versions: Record<string, unknown>[] }).versions
    const swapped = versions.map((version) => ({ ...version, storage: version['storage'] !== true }))
    const moved = await client.request('PATCH', path, { spec: { versions: swapped } }, patchTypes.merge)
    expect(moved.body['status']).toMatchObject({ storedVersions: ['v1', 'v1beta1'] })
    const dropped = await client.request('PATCH', path, { spec: { versions: [swapped[1]] } }, patchTypes.merge)
    expect(causesOf(dropped.body)).toEqual([['FieldValueInvalid', 'status.storedVersions[0]']])
    const scoped = await client.request('PATCH', path, { spec: { scope: 'Cluster' } }, patchTypes.merge)
    expect(causesOf(scoped.body)).toEqual([['FieldValueInvalid', 'spec.scope']])
  })

  const schemaAt = 'spec.validation.openAPIV3Schema'
  it.each<[string, (spec: Record<string, unknown>) => void, [string, string][]]>([
    [
      'another name than its plural',
      (spec) => (spec['names'] = { plural: 'x', kind: 'Widget' }),
      [['FieldValueInvalid', 'metadata.name']],
    ],
    ['no scope', (spec) => delete spec['scope'], [['FieldValueRequired', 'spec.scope']]],
    [
      'no version',
      (spec) => (spec['versions'] = []),
      [
        ['FieldValueInvalid', 'spec.versions'],
        ['FieldValueInvalid', 'status.storedVersions'],
      ],
    ],
    [
      'no schema',
      (spec) => (spec['versions'] = [{ name: 'v1', served: true, storage: true }]),
      [['FieldValueRequired', 'spec.versions[0].schema.openAPIV3Schema']],
    ],
    [
      'a field without a type',
      (spec) => (spec['versions'] = oneVersion({ a: {} })),
      [['FieldValueRequired', `${schemaAt}.properties[a].type`]],
    ],
    [
      'a list without items',
      (spec) => (spec['versions'] = oneVersion({ a: { type: 'array' } })),
      [['FieldValueRequired', `${schemaAt}.properties[a].items`]],
    ],
    [
      'a default of another type',
      (spec) => (spec['versions'] = oneVersion({ a: { type: 'string', default: 3 } })),
      [['FieldValueTypeInvalid', `${schemaAt}.properties[a].default`]],
    ],
    [
      'a rule that is no CEL',
      (spec) =>
        (spec['versions'] = oneVersion({ a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.' }] } })),
      [['FieldValueInvalid', `${schemaAt}.properties[a].x-kubernetes-validations[0].rule`]],
    ],
    [
      'a type inside of anyOf',
      (spec) => (spec['versions'] = oneVersion({ a: { type: 'object', anyOf: [{ type: 'object' }] } })),
      [['FieldValueForbidden', `${schemaAt}.properties[a].anyOf[0].type`]],
    ],
  ])('is refused with %s', async (_name, change, expected) => {
    const crd = widgetCrd('bad.example.com', ({ spec }) => change(spec))
    const { code, body } = await client.request('POST', `${crdsPath}?dryRun=All`, crd)
    expect(code).toBe(422)
    expect(causesOf(body)).toEqual(expected)
  })
})

function oneVersion(properties: Record<string, unknown>): Record<string, unknown>[] {
  return [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } }]
}

function causesOf(body: Record<string, unknown>): unknown[] {
  const details = isRecord(body['details']) ? body['details'] : {}
  const causes: unknown[] = Array.isArray(details['causes']) ? details['causes'] : []
  return causes.filter(isRecord).map(({ reason, field }) => [reason, field])
}

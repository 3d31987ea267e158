import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, patchTypes, type TestAnswer, type TestClient } from '../../testing/sandbox-client.ts'
import { establish, widgetCrd } from '../../testing/widget-crd.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const services = '/api/v1/namespaces/default/services'

let client: TestClient
beforeAll(async () => {
  client = await openSandbox()
})
afterAll(() => client.stop())

async function createMap(
  name: string,
): Promise<(type: keyof typeof patchTypes, patch: unknown) => Promise<TestAnswer>> {
  await client.request('POST', maps, { metadata: { name, labels: { a: '1' } }, data: { x: '1' } })
  return (type, patch) => client.request('PATCH', `${maps}/${name}`, patch, patchTypes[type])
}

describe('a patch', () => {
  it('changes an object in each of its forms, and the writer owns the change', async () => {
    const patch = await createMap('forms')
    const json = await patch('json', [{ op: 'move', from: '/data/x', path: '/data/y' }])
    expect([json.code, json.body['data']]).toEqual([200, { y: '1' }])
    const merged = await patch('merge', { data: { z: '2', y: null } })
    expect(merged.body['data']).toEqual({ z: '2' })
    const strategic = await patch('strategic', { data: { $patch: 'replace', w: '3' } })
    expect(strategic.body['data']).toEqual({ w: '3' })
    expect(strategic.body['metadata']).toMatchObject({
      managedFields: [{ manager: 'test', fieldsV1: { 'f:data': { '.': {}, 'f:w': {} } } }],
    })
  })

  it('that changes nothing writes nothing', async () => {
    const patch = await createMap('same')
    const { body: before } = await client.request('GET', `${maps}/same`)
    expect((await patch('merge', { data: { x: '1' } })).body).toEqual(before)
  })

  it.each<[string, keyof typeof patchTypes, unknown, number, string | undefined]>([
    ['whose test fails', 'json', [{ op: 'test', path: '/data/x', value: '2' }], 422, 'Invalid'],
    ['that removes what is not there', 'json', [{ op: 'remove', path: '/data/none' }], 422, 'Invalid'],
    ['that is no list of operations', 'json', {}, 400, 'BadRequest'],
    ['that is no map', 'merge', [1], 400, 'BadRequest'],
    ['that leaves a value of another type', 'merge', { data: 'x' }, 422, 'Invalid'],
    ['that leaves another kind', 'merge', { kind: 'Secret' }, 422, 'Invalid'],
    ['that renames', 'merge', { metadata: { name: 'other' } }, 400, 'BadRequest'],
    ['that gives another uid', 'merge', { metadata: { uid: 'other' } }, 422, 'Invalid'],
    ['for another version', 'merge', { metadata: { resourceVersion: '1' } }, 409, 'Conflict'],
    ['with an unknown directive', 'strategic', { data: { $patch: 'frob' } }, 500, undefined],
    ['that retains less than it sets', 'strategic', { data: { $retainKeys: [], a: 'b' } }, 400, 'BadRequest'],
  ])('%s is refused', async (_name, type, body, code, reason) => {
    const patch = await createMap('refused')
    const answer = await patch(type, body)
    expect([answer.code, answer.body['reason']]).toEqual([code, reason])
  })

  it('in an unknown form is refused, and so is a strategic merge of a custom resource', async () => {
    await createMap('unknown')
    const answer = await client.request('PATCH', `${maps}/unknown`, {}, 'application/json')
    expect([answer.code, answer.body['reason']]).toEqual([415, 'UnsupportedMediaType'])
    const group = 'patched.example.com'
    await establish(client, widgetCrd(group))
    const widgets = `/apis/${group}/v1/namespaces/default/widgets`
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } }
    await client.request('POST', widgets, widget)
    expect((await client.request('PATCH', `${widgets}/a`, { spec: {} }, patchTypes.strategic)).code).toBe(415)
  })

  it('can set the managers of an object, and clear them by one empty entry', async () => {
    const patch = await createMap('managed')
    const entry = {
      manager: 'one',
      operation: 'Apply',
      apiVersion: 'v1',
      time: '2024-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:x': {} } },
    }
    const set = await patch('json', [{ op: 'replace', path: '/metadata/managedFields', value: [entry] }])
    expect(set.body['metadata']).toMatchObject({ managedFields: [entry] })
    for (const cleared of [[{}], []]) {
      await patch('merge', { metadata: { managedFields: [entry] } })
      const { body } = await patch('merge', { metadata: { managedFields: cleared }, data: { x: '9' } })
      expect(body['data']).toEqual({ x: '9' })
      expect(body['metadata']).not.toHaveProperty('managedFields')
    }
  })

  it('merges the lists of built-in types by their keys', async () => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ]
    await client.request('POST', services, { metadata: { name: 's' }, spec: { ports, selector: { a: 'b' } } })
    const change = {
      spec: {
        ports: [
          { port: 81, name: 'c' },
          { port: 80, $patch: 'delete' },
        ],
      },
    }
    const { body } = await client.request('PATCH', `${services}/s`, change, patchTypes.strategic)
    expect(body['spec']).toMatchObject({ ports: [{ name: 'c', port: 81 }] })
  })
})

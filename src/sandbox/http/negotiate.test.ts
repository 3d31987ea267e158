import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../start.ts'
import { acceptedForm } from './accept.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const list = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

describe('the first form that can be served is taken', () => {
  test.each([
    ['', 'object'],
    ['*/*', 'object'],
    ['application/json', 'object'],
    ['application/vnd.kubernetes.protobuf, application/json', 'object'],
    [`${table},application/json`, 'table'],
    [`application/json,${table}`, 'object'],
    [`application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, ${metadata}`, 'metadata'],
    ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', 'object'],
  ])('%j: %s', (accept, as) => {
    expect(acceptedForm(accept).as).toBe(as)
  })

  test.each(['text/html', 'application/json;as=Nonsense;v=v1;g=meta.k8s.io'])('%j cannot be served', (accept) => {
    expect(() => acceptedForm(accept)).toThrow(expect.objectContaining({ code: 406 }) as Error)
  })
})

describe('answers in the form that was asked for', () => {
  const path = '/api/v1/namespaces/default/configmaps'
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ tls: false })
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { x: '1', y: '2' } })
    await send(path, 'application/json', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  })

  afterAll(() => sandbox.stop())

  test('a list and an object as a table', async () => {
    const list = (await (await send(`${path}?labelSelector=!x`, table)).json()) as Table
    expect(list).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
    expect(list.rows.map(({ cells }) => cells.slice(0, 2))).toContainEqual(['a', 2])
    expect(list.columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age'])
    const one = (await (await send(`${path}/a?includeObject=None`, table)).json()) as Table
    expect(one.rows).toEqual([{ cells: ['a', 2, expect.any(String)], object: null }])
  })

  test('a refusal as it is', async () => {
    const refused = await send(`${path}/nope`, table)
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ kind: 'Status', reason: 'NotFound' })
  })

  test('metadata only', async () => {
    const one = await (await send(`${path}/a`, metadata)).json()
    expect(Object.keys(one as object)).toEqual(['kind', 'apiVersion', 'metadata'])
    expect(await (await send(path, `${list},application/json`)).json()).toMatchObject({
      kind: 'PartialObjectMetadataList',
    })
    // One is not the other: a client that mixes them up fails here as it would on a real server.
    for (const [at, accept] of [
      [path, metadata],
      [`${path}/a`, list],
    ] as const) {
      expect((await send(at, accept)).status).toBe(406)
    }
  })

  test('items of a list that do not say their kind, unless they are custom resources', async () => {
    const { items } = (await (await send(path, 'application/json')).json()) as { items: object[] }
    expect(items.map((item) => Object.keys(item)[0])).toContain('metadata')
    expect(items.some((item) => 'kind' in item || 'apiVersion' in item)).toBe(false)
  })

  test('a watch as tables, of which the first one has the columns', async () => {
    const response = await send(`${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da`, table)
    const update = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } }
    await send(`${path}/a`, 'application/json', { ...update, body: '{"data":{"z":"3"}}' })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: Table })
    expect(lines.map(({ type, object }) => [type, object.rows[0]?.cells[1]])).toEqual([
      ['ADDED', 2],
      ['MODIFIED', 3],
    ])
    expect(lines.map(({ object }) => object.columnDefinitions === null)).toEqual([false, true])
  })

  function send(target: string, accept: string, init: RequestInit = {}): Promise<Response> {
    const headers = { accept, authorization: `Bearer ${sandbox.token}`, ...(init.headers as Record<string, string>) }
    return fetch(`${sandbox.url}${target}`, { ...init, headers })
  }
})

interface Table {
  readonly kind: string
  readonly columnDefinitions: { name: string }[] | null
  readonly rows: { cells: unknown[]; object: unknown }[]
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../start.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ tls: false })
})

afterAll(() => sandbox.stop())

describe('OpenAPI v3', () => {
  it('has a document for every group version that discovery names, at the address that the index gives', async () => {
    const { paths } = (await get('/openapi/v3')) as Index
    const groups = ((await get('/apis')) as { groups: { versions: { groupVersion: string }[] }[] }).groups
    const served = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `apis/${groupVersion}`))
    expect(Object.keys(paths).sort()).toEqual(['api/v1', ...served].sort())
    for (const { serverRelativeURL } of Object.values(paths)) {
      const document = (await get(serverRelativeURL)) as Document
      expect(danglingReferences(document, '#/components/schemas/', document.components.schemas)).toEqual([])
    }
  })

  it('tells kubectl that the server validates fields itself', async () => {
    const { paths } = (await get('/openapi/v3/apis/apps/v1')) as Document
    const { patch } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'] ?? {}
    expect(patch).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
    })
    expect(patch?.parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation', in: 'query' }))
  })

  it('knows subresources by the kind that they answer with', async () => {
    const { paths } = (await get('/openapi/v3/apis/apps/v1')) as Document
    expect(paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale']?.put).toMatchObject({
      'x-kubernetes-group-version-kind': { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    })
  })

  it('follows CustomResourceDefinitions as they come, change and go', async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    expect(await address('apis/example.com/v1')).toBeUndefined()
    await send('POST', crds, widgets('size'))
    await sandbox.idle()
    const first = await address('apis/example.com/v1')
    expect(JSON.stringify(await get(first ?? ''))).toContain('"size"')

    const patch = { spec: widgets('weight').spec }
    await send('PATCH', `${crds}/widgets.example.com`, patch, 'application/merge-patch+json')
    await sandbox.idle()
    const second = await address('apis/example.com/v1')
    expect(second).not.toBe(first)
    expect(JSON.stringify(await get(second ?? ''))).toContain('"weight"')

    await send('DELETE', `${crds}/widgets.example.com`)
    await sandbox.idle()
    expect(await address('apis/example.com/v1')).toBeUndefined()
  })

  it.each(['/openapi/v3/apis/example.org/v1', '/openapi/v3/api', '/openapi/v3/apis/apps', '/openapi/v4'])(
    'has nothing at %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(404)
    },
  )
})

describe('OpenAPI v2', () => {
  it('holds all types in one document', async () => {
    const swagger = (await get('/openapi/v2')) as { swagger: string; definitions: Record<string, unknown> }
    expect(swagger.swagger).toBe('2.0')
    expect(swagger.definitions).toHaveProperty(['io.k8s.api.apps.v1.Deployment', 'properties', 'spec', '$ref'])
    expect(danglingReferences(swagger, '#/definitions/', swagger.definitions)).toEqual([])
  })

  it('tells client-go in protobuf which kinds take fieldValidation, and gives no other form', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const answer = await send('GET', '/openapi/v2', undefined, undefined, accept)
    expect(answer.headers.get('content-type')).toBe(accept.replace('@', '.'))
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    expect(text).toContain('/apis/apps/v1/namespaces/{namespace}/deployments/{name}')
    expect(text).toContain('{"group":"apps","kind":"Deployment","version":"v1"}')
    expect((await send('GET', '/openapi/v2', undefined, undefined, 'application/cbor')).status).toBe(406)
  })
})

interface Index {
  paths: Record<string, { serverRelativeURL: string }>
}

interface Document {
  paths: Record<string, Record<string, { parameters: object[] }>>
  components: { schemas: Record<string, unknown> }
}

async function get(path: string): Promise<unknown> {
  const answer = await send('GET', path)
  expect(answer.status).toBe(200)
  return answer.json()
}

function send(
  method: string,
  path: string,
  body?: object,
  contentType = 'application/json',
  accept = '*/*',
): Promise<Response> {
  return fetch(`${sandbox.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.token}`, accept, 'content-type': contentType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function address(path: string): Promise<string | undefined> {
  const { paths } = (await get('/openapi/v3')) as Index
  return paths[path]?.serverRelativeURL
}

function danglingReferences(document: unknown, prefix: string, known: Record<string, unknown>): string[] {
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)
  const names = new Set([...references].map(([, reference = '']) => reference))
  return [...names].filter((name) => !name.startsWith(prefix) || !Object.hasOwn(known, name.slice(prefix.length)))
}

function widgets(field: string): { spec: object; [field: string]: unknown } {
  const spec = { type: 'object', properties: { [field]: { type: 'integer' } } }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

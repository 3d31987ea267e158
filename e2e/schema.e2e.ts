import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openApiServer } from '../scripts/api-server.ts'
import { compactSchema, type RawSchema } from '../scripts/compact-schema.ts'
import { builtinSchema, schemaWithCrds, validateObject } from '../src/schema/index.ts'
import { invalidWidgets, storedWidgets, unknownWidgets, widget, widgetCrd } from '../src/schema/testdata/widgets.ts'

const server = openApiServer(inject('kubeconfig'))
const schema = schemaWithCrds(builtinSchema(), [widgetCrd])
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const group = 'schema.lading.example.com'
const widgets = `/apis/${group}/v1/namespaces/default/widgets`

beforeAll(async () => {
  await server.send('POST', definitions, widgetCrd)
  // The API server publishes a new type's OpenAPI some time after the type is Established, and tells nobody when.
  await vi.waitFor(() => Promise.all([server.get(widgets), server.get(`/openapi/v3/apis/${group}/v1`)]), 120_000)
})

afterAll(async () => {
  await server.send('DELETE', `${definitions}/${widgetCrd.metadata.name}`)
  await server.close()
})

test('every kind that the API server serves itself has the same scope here', async () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const lists = (await Promise.all(['/api', '/apis'].map((path) => server.get(path, accept)))) as DiscoveryList[]
  const served = lists.flatMap(({ items }) =>
    items.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map(({ responseKind, scope }) => ({
          group: metadata.name ?? '',
          version,
          kind: responseKind.kind,
          scope,
        })),
      ),
    ),
  )
  const known = served.filter((kind) => kind.group === group || schema.resourceOf(kind) !== undefined)
  expect(known.map((kind) => schema.scope(kind))).toEqual(known.map((kind) => kind.scope))
  expect(known.length).toBe(schema.resources().length)
})

describe('types are those of the API server', () => {
  const groupVersions = new Set(
    builtinSchema()
      .resources()
      .map(({ group, version }) => (group === '' ? version : `${group}/${version}`)),
  )
  test.each([...groupVersions, `${group}/v1`])('%s', async (groupVersion) => {
    const path = groupVersion.includes('/') ? `/openapi/v3/apis/${groupVersion}` : `/openapi/v3/api/${groupVersion}`
    const real = (await server.get(path)) as { components: { schemas: Record<string, RawSchema> } }
    const ours = schema.openapi(groupVersion)?.components.schemas as Record<string, RawSchema>
    expect(comparable(ours)).toEqual(comparable(real.components.schemas))
  })
})

describe('findings are those of the API server', () => {
  const cases = [...unknownWidgets, ...invalidWidgets].map(([what, object]) => ({ what, object }))
  test.each(cases)('$what', async ({ object }) => {
    const answer = await server.send('POST', `${widgets}?dryRun=All&fieldValidation=Strict`, object)
    const { message, details } = answer.body as { message?: string; details?: { causes?: { message: string }[] } }
    const unknown = [...(message ?? '').matchAll(/unknown field "[^"]+"/g)].map((match) => match[0])
    const causes = details?.causes?.map((cause) => cause.message) ?? []
    const ours = validateObject(object, schema).map((finding) => finding.message)
    expect(ours.sort()).toEqual([...unknown, ...causes].sort())
  })
})

describe('what is kept of a custom resource is what the API server keeps', () => {
  test.each(storedWidgets)('%s', async (_what, written, stored) => {
    const answer = await server.send('POST', `${widgets}?dryRun=All&fieldValidation=Ignore`, widget(written))
    expect((answer.body as { spec: object }).spec).toEqual(stored)
  })
})

interface DiscoveryList {
  items: {
    metadata: { name?: string }
    versions: { version: string; resources: { responseKind: { kind: string }; scope: string }[] }[]
  }[]
}

/** The kinds that options such as DeleteOptions belong to depend on the group that is asked. */
function comparable(schemas: Record<string, RawSchema>): Record<string, RawSchema> {
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const { 'x-kubernetes-group-version-kind': kinds, ...rest } = compactSchema(schema)
    return [name, Array.isArray(kinds) && kinds.length === 1 ? { ...rest, kinds } : rest] as const
  })
  return Object.fromEntries(entries)
}

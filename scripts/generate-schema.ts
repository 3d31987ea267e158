// Writes src/schema/data from a real API server: `node scripts/generate-schema.ts KUBECONFIG`. A rerun gives no diff.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ApiServer, openApiServer } from './api-server.ts'
import { compactSchema, packageOf, type RawSchema, referencedBy } from './compact-schema.ts'

const dataDir = fileURLToPath(new URL('../src/schema/data/', import.meta.url))
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const kubeconfig = process.argv[2]
if (kubeconfig === undefined) throw new Error('usage: node scripts/generate-schema.ts KUBECONFIG')
const server = openApiServer(kubeconfig)
try {
  await generate(server)
} finally {
  await server.close()
}

async function generate(server: ApiServer): Promise<void> {
  const builtin = await builtinGroupVersions(server)
  const { gitVersion } = (await server.get('/version')) as { gitVersion: string }
  const { definitions, roots } = await readDefinitions(server, builtin)
  const types = typeNames(definitions)
  const resources = await readResources(server, builtin, types)
  rmSync(`${dataDir}types`, { recursive: true, force: true })
  mkdirSync(`${dataDir}types`, { recursive: true })
  for (const [file, types] of byPackage(definitions)) writeFileSync(`${dataDir}types/${file}.json`, oneLineEach(types))
  writeFileSync(`${dataDir}resources.json`, formatResources(gitVersion, resources, types))
  writeFileSync(`${dataDir}openapi-roots.json`, oneLineEach(roots))
  console.log(`${gitVersion}: ${resources.length} resources, ${definitions.size} types`)
}

/** The API server registers its own group versions as `onstart`; those of CRDs and of aggregated servers differ. */
async function builtinGroupVersions(server: ApiServer): Promise<Set<string>> {
  const list = (await server.get('/apis/apiregistration.k8s.io/v1/apiservices')) as {
    items: { metadata: { labels?: Record<string, string> }; spec: { group?: string; version: string } }[]
  }
  const own = list.items.filter(
    (item) => item.metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'] === 'onstart',
  )
  const served = own.map(({ spec }) =>
    spec.group === undefined || spec.group === '' ? spec.version : `${spec.group}/${spec.version}`,
  )
  // The aggregator does not register itself.
  return new Set([...served, 'apiregistration.k8s.io/v1'])
}

async function readDefinitions(
  server: ApiServer,
  builtin: Set<string>,
): Promise<{ definitions: Map<string, RawSchema>; roots: Map<string, string[]> }> {
  const definitions = new Map<string, RawSchema>()
  const roots = new Map<string, string[]>()
  for (const groupVersion of [...builtin].sort()) {
    const path = groupVersion.includes('/') ? `/openapi/v3/apis/${groupVersion}` : `/openapi/v3/api/${groupVersion}`
    const { components } = (await server.get(path)) as { components: { schemas: Record<string, RawSchema> } }
    const own = new Map(Object.entries(components.schemas).map(([name, schema]) => [name, compactSchema(schema)]))
    for (const [name, schema] of own) {
      const known = definitions.get(name)
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
        throw new Error(`${name} differs between group versions: types can no longer be shared by name`)
      }
      definitions.set(name, schema)
    }
    const inner = new Set([...own].flatMap(([name, schema]) => [...referencedBy(schema)].filter((ref) => ref !== name)))
    roots.set(groupVersion, [...own.keys()].filter((name) => !inner.has(name)).sort())
  }
  return { definitions, roots }
}

interface Gvk {
  group: string
  version: string
  kind: string
}

/** The type of every kind that is an object of its own; options such as DeleteOptions stand in every group and are left out. */
function typeNames(definitions: Map<string, RawSchema>): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, schema] of definitions) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as Gvk[]
    if (kinds.length === 1) for (const gvk of kinds) names.set(gvkKey(gvk), name)
  }
  return names
}

interface DiscoveredResource {
  resource: string
  responseKind: Gvk
  scope: string
  singularResource: string
  verbs: string[]
  shortNames?: string[]
  categories?: string[]
  subresources?: { subresource: string; responseKind?: Gvk; verbs: string[] }[]
}

interface DiscoveredGroup {
  metadata: { name?: string }
  versions: { version: string; resources: DiscoveredResource[] }[]
}

async function readResources(server: ApiServer, builtin: Set<string>, types: Map<string, string>): Promise<object[]> {
  const lists = (await Promise.all(['/api', '/apis'].map((path) => server.get(path, aggregated)))) as {
    items: DiscoveredGroup[]
  }[]
  const resources: object[] = []
  for (const group of lists.flatMap((list) => list.items)) {
    const name = group.metadata.name ?? ''
    for (const { version, resources: served } of group.versions) {
      const groupVersion = name === '' ? version : `${name}/${version}`
      if (!builtin.has(groupVersion)) continue
      const hashes = await storageHashes(server, groupVersion)
      for (const resource of served) {
        resources.push(describe({ group: name, version, kind: resource.responseKind.kind }, resource, types, hashes))
      }
    }
  }
  return resources
}

function describe(
  gvk: Gvk,
  resource: DiscoveredResource,
  types: Map<string, string>,
  hashes: Map<string, string>,
): object {
  if (!types.has(gvkKey(gvk))) throw new Error(`${gvkKey(gvk)} is served but has no type`)
  const storage = [...types.keys()].find((key) => storageHash(key) === hashes.get(resource.resource))
  return {
    ...gvk,
    resource: resource.resource,
    singular: resource.singularResource,
    scope: resource.scope,
    verbs: resource.verbs,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    subresources: (resource.subresources ?? []).map((sub) => ({
      name: sub.subresource,
      // An empty group and version mean those of the resource itself.
      kind: sub.responseKind?.version === '' ? { ...gvk, kind: sub.responseKind.kind } : sub.responseKind,
      verbs: sub.verbs,
    })),
    ...(storage === undefined ? {} : { storage: parseGvkKey(storage) }),
  }
}

/** Only plain discovery tells which version is stored, as a hash of the stored kind. */
async function storageHashes(server: ApiServer, groupVersion: string): Promise<Map<string, string>> {
  const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`
  const list = (await server.get(path)) as { resources: { name: string; storageVersionHash?: string }[] }
  return new Map(
    list.resources.flatMap((item) =>
      item.storageVersionHash === undefined ? [] : [[item.name, item.storageVersionHash]],
    ),
  )
}

function storageHash(key: string): string {
  return createHash('sha256').update(key).digest().subarray(0, 8).toString('base64')
}

function gvkKey(gvk: Gvk): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`
}

function parseGvkKey(key: string): Gvk {
  const [group = '', version = '', kind = ''] = key.split('/')
  return { group, version, kind }
}

function byPackage(definitions: Map<string, RawSchema>): Map<string, Map<string, RawSchema>> {
  const packages = new Map<string, Map<string, RawSchema>>()
  for (const [name, schema] of definitions) {
    const file = packageOf(name)
    const types = packages.get(file) ?? new Map<string, RawSchema>()
    packages.set(file, types.set(name, schema))
  }
  return packages
}

/** One entry a line: a change of Kubernetes shows as a readable diff. */
function oneLineEach(entries: Map<string, unknown>): string {
  const lines = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function formatResources(version: string, resources: object[], types: Map<string, string>): string {
  const lines = resources.map((resource) => JSON.stringify(resource))
  const kinds = oneLineEach(types).trimEnd()
  return `{"version":${JSON.stringify(version)},\n"resources":[\n${lines.join(',\n')}\n],\n"types":${kinds}}\n`
}

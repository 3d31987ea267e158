import { readFileSync } from 'node:fs'
import { openapiDocument } from './openapi.ts'
import type { RawSchema } from './raw-schema.ts'
import { NodeFactory } from './schema-node.ts'
import { gvkKey, type SchemaResource, type SchemaSet, type Scope } from './schema-set.ts'

/** The built-in kinds, as a real API server describes them; each file of data is read when it is first needed. */
export function builtinSchema(): SchemaSet {
  builtin ??= createBuiltinSchema()
  return builtin
}

// Constant data, read once; nothing in a set can be changed through it.
let builtin: SchemaSet | undefined

function createBuiltinSchema(): SchemaSet {
  const tables = once(readTables)
  const roots = once(() => readData('openapi-roots.json') as Record<string, string[]>)
  const lookup = typeLookup()
  const factory = new NodeFactory(lookup)
  return {
    get version() {
      return tables().version
    },
    type(gvk) {
      const name = tables().types.get(gvkKey(gvk))
      const schema = name === undefined ? undefined : lookup(name)
      return schema === undefined ? undefined : factory.node(schema, name)
    },
    scope: (gvk) => tables().byGvk.get(gvkKey(gvk))?.scope ?? tables().scopes.get(`${gvk.group}/${gvk.kind}`),
    resources: () => tables().resources,
    resourceOf: (gvk) => tables().byGvk.get(gvkKey(gvk)),
    definition: lookup,
    openapi(groupVersion) {
      const names = roots()[groupVersion]
      return names === undefined ? undefined : openapiDocument(tables().version, names, lookup)
    },
  }
}

interface Tables {
  readonly version: string
  readonly resources: readonly SchemaResource[]
  readonly byGvk: ReadonlyMap<string, SchemaResource>
  /** By group and kind, whatever the version. */
  readonly scopes: ReadonlyMap<string, Scope>
  /** The name of the type of each kind. */
  readonly types: ReadonlyMap<string, string>
}

interface ResourceData {
  readonly version: string
  readonly resources: Omit<SchemaResource, 'listKind'>[]
  readonly types: Record<string, string>
}

function readTables(): Tables {
  const data = readData('resources.json') as ResourceData
  const resources = data.resources.map((resource) => ({ ...resource, listKind: `${resource.kind}List` }))
  return {
    version: data.version,
    resources,
    byGvk: new Map(resources.map((resource) => [gvkKey(resource), resource])),
    scopes: new Map(resources.map((resource) => [`${resource.group}/${resource.kind}`, resource.scope])),
    types: new Map(Object.entries(data.types)),
  }
}

/** Types are kept in one file for each Go package, which is the type's name without its last part. */
function typeLookup(): (name: string) => RawSchema | undefined {
  const packages = new Map<string, Record<string, RawSchema>>()
  return (name) => {
    const file = name.slice(0, name.lastIndexOf('.')).replace(/^io\.k8s\./, '')
    let types = packages.get(file)
    if (types === undefined) {
      types = name.startsWith('io.k8s.') ? (readData(`types/${file}.json`) as Record<string, RawSchema>) : {}
      packages.set(file, types)
    }
    return types[name]
  }
}

function readData(file: string): unknown {
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  return JSON.parse(readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8'))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

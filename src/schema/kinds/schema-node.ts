import { propertyOf, type RawSchema } from './raw-schema.ts'

/** What a value is to a merge: a struct has known fields, a map any key; `any` is deduced from the value. */
export type SchemaShape = 'struct' | 'map' | 'list' | 'scalar' | 'any'

/** The scalar types that Kubernetes tells apart. */
export type ScalarType = 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'quantity'

/** One place of a type: what stands there and how it merges. Children are resolved when asked for, so cycles are harmless. */
export interface SchemaNode {
  readonly shape: SchemaShape
  /** The name of the type that stands here, for types that have one (`io.k8s.api.core.v1.Container`). */
  readonly typeName: string | undefined
  /** The type of a scalar; undefined for every other shape. */
  readonly scalar: ScalarType | undefined
  readonly format: string | undefined
  /** How server-side apply merges a list: without a mark it is atomic. */
  readonly listType: 'atomic' | 'set' | 'map'
  /** The fields that identify an item of a `map` list; an absent one has its field's default (`protocol: TCP`). */
  readonly mapKeys: readonly string[]
  /** How server-side apply merges a struct or map: granular unless it is marked atomic. */
  readonly mapType: 'granular' | 'atomic'
  /** Strategic merge patch: any of `merge`, `replace`, `retainKeys`; none means replace for lists and merge for maps. */
  readonly patchStrategy: readonly string[]
  readonly patchMergeKey: string | undefined
  /** The schema's default; for built-in types it completes list keys only, API defaulting is more than that. */
  readonly default: unknown
  readonly nullable: boolean
  readonly required: readonly string[]
  readonly enum: readonly unknown[] | undefined
  /** Whether unknown fields are kept here; known fields below decide for themselves. */
  readonly preservesUnknown: boolean
  /** Whether a whole object with apiVersion, kind and metadata stands here. */
  readonly embeddedResource: boolean
  /** Names of the known fields of a struct. */
  readonly fieldNames: readonly string[]
  /** The schema as written, for what merges do not need (pattern, minimum, validations…). */
  readonly raw: RawSchema
  /** The node of a field of a struct or an entry of a map; undefined when the type does not know it. */
  field(name: string): SchemaNode | undefined
  /** The node of the items of a list. */
  items(): SchemaNode | undefined
}

/** Finds a type by its name. */
export type TypeLookup = (name: string) => RawSchema | undefined

/** Makes nodes out of schemas, each once, so that merges compare and walk them cheaply. */
export class NodeFactory {
  readonly #lookup: TypeLookup
  readonly #nodes = new WeakMap<RawSchema, SchemaNode>()

  constructor(lookup: TypeLookup) {
    this.#lookup = lookup
  }

  /** The node of a schema; `typeName` is the name that the schema itself is known by. */
  node(site: RawSchema, typeName?: string): SchemaNode {
    const known = this.#nodes.get(site)
    if (known !== undefined) return known
    const target = site.$ref === undefined ? site : (this.#lookup(site.$ref) ?? {})
    const node = new LazyNode(this, site, target, site.$ref ?? typeName)
    this.#nodes.set(site, node)
    return node
  }
}

const rawExtensionType = 'io.k8s.apimachinery.pkg.runtime.RawExtension'
const quantityType = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const anything: RawSchema = { 'x-kubernetes-preserve-unknown-fields': true }

class LazyNode implements SchemaNode {
  readonly shape: SchemaShape
  readonly typeName: string | undefined
  readonly scalar: ScalarType | undefined
  readonly format: string | undefined
  readonly listType: 'atomic' | 'set' | 'map'
  readonly mapKeys: readonly string[]
  readonly mapType: 'granular' | 'atomic'
  readonly patchStrategy: readonly string[]
  readonly patchMergeKey: string | undefined
  readonly default: unknown
  readonly nullable: boolean
  readonly required: readonly string[]
  readonly enum: readonly unknown[] | undefined
  readonly preservesUnknown: boolean
  readonly embeddedResource: boolean
  readonly raw: RawSchema
  readonly #factory: NodeFactory

  /** `site` is the place that refers to a type, `target` the type; both are the same where the schema stands inline. */
  constructor(factory: NodeFactory, site: RawSchema, target: RawSchema, typeName: string | undefined) {
    this.#factory = factory
    this.typeName = typeName
    this.raw = target
    this.scalar = scalarOf(site, target)
    this.shape = this.scalar === undefined ? shapeOf(site, target) : 'scalar'
    this.format = target.format
    this.patchStrategy = mark(site, target, 'x-kubernetes-patch-strategy')?.split(',') ?? []
    this.patchMergeKey = mark(site, target, 'x-kubernetes-patch-merge-key')
    this.listType = listTypeOf(mark(site, target, 'x-kubernetes-list-type'), this.patchStrategy, this.patchMergeKey)
    this.mapKeys = mapKeysOf(target, this.listType, this.patchMergeKey)
    const atomic = mark(site, target, 'x-kubernetes-map-type') === 'atomic' || site.$ref === rawExtensionType
    this.mapType = atomic ? 'atomic' : 'granular'
    this.default = site.default ?? target.default
    this.nullable = target.nullable === true
    this.required = target.required ?? []
    this.enum = target.enum
    this.preservesUnknown = target['x-kubernetes-preserve-unknown-fields'] === true
    this.embeddedResource = target['x-kubernetes-embedded-resource'] === true
  }

  get fieldNames(): readonly string[] {
    return Object.keys(this.raw.properties ?? {})
  }

  field(name: string): SchemaNode | undefined {
    if (this.shape === 'scalar' || this.shape === 'list') return undefined
    const own = propertyOf(this.raw, name)
    if (own !== undefined) return this.#factory.node(own)
    const { additionalProperties } = this.raw
    if (typeof additionalProperties === 'object') return this.#factory.node(additionalProperties)
    return this.shape === 'struct' && !this.preservesUnknown ? undefined : this.#factory.node(anything)
  }

  items(): SchemaNode | undefined {
    const listed = this.shape === 'list' || this.shape === 'any'
    return listed ? this.#factory.node(this.raw.items ?? anything) : undefined
  }
}

function scalarOf(site: RawSchema, target: RawSchema): ScalarType | undefined {
  if (site.$ref === quantityType) return 'quantity'
  if (target['x-kubernetes-int-or-string'] === true || target.format === 'int-or-string') return 'int-or-string'
  const { type } = target
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean' ? type : undefined
}

function shapeOf(site: RawSchema, target: RawSchema): SchemaShape {
  if (site.$ref === rawExtensionType) return 'any'
  if (target.type === 'array') return 'list'
  if (target.type !== 'object') return 'any'
  if (target.properties !== undefined) return 'struct'
  // An object without a word about its fields is free-form, as in kube-openapi's conversion for server-side apply.
  return 'map'
}

// Marks beside a reference override those of the type that it refers to.
function mark(site: RawSchema, target: RawSchema, key: string): string | undefined {
  const value = site[key] ?? target[key]
  return typeof value === 'string' ? value : undefined
}

/** Without a list type, server-side apply falls back to the strategic-merge marks (kube-openapi schemaconv). */
function listTypeOf(
  marked: string | undefined,
  patchStrategy: readonly string[],
  mergeKey: string | undefined,
): 'atomic' | 'set' | 'map' {
  if (marked !== undefined) return marked === 'set' || marked === 'map' ? marked : 'atomic'
  if (!patchStrategy.includes('merge')) return 'atomic'
  return mergeKey === undefined ? 'set' : 'map'
}

function mapKeysOf(target: RawSchema, listType: string, mergeKey: string | undefined): readonly string[] {
  if (listType !== 'map') return []
  return target['x-kubernetes-list-map-keys'] ?? (mergeKey === undefined ? [] : [mergeKey])
}

import { type GroupVersionKind, isRecord, type KubeObject } from '../core/index.ts'
import { builtinSchema, type SchemaSet, schemaWithCrds } from '../schema/index.ts'
import { customRules } from './kinds/custom.ts'
import { builtinRules } from './kinds/index.ts'
import { collectionOf, type ResourceCatalog, type ResourceType, resourceType } from './resource-type.ts'
import type { Store } from './store.ts'

const crdCollection = 'apiextensions.k8s.io/customresourcedefinitions'

/** The built-in resources and those that stored CustomResourceDefinitions declare. */
export class Catalog implements ResourceCatalog {
  readonly #store: Store
  readonly #builtin: SchemaSet
  readonly #builtinTypes: readonly ResourceType[]
  #current: Index | undefined
  #schema: SchemaSet | undefined

  constructor(store: Store) {
    this.#store = store
    this.#builtin = builtinSchema()
    this.#builtinTypes = this.#builtin.resources().map((resource) => {
      const schema = this.#builtin.type(resource)
      return resourceType(resource, schema, builtinRules(resource))
    })
    store.listen((collection) => {
      if (collection === crdCollection) this.refresh()
    })
  }

  /** The types of everything that is served, for OpenAPI. */
  get schema(): SchemaSet {
    this.#index()
    return this.#schema ?? this.#builtin
  }

  find(group: string, version: string, resource: string): ResourceType | undefined {
    return this.#index().byPath.get(`${group}/${version}/${resource}`)
  }

  ofKind(gvk: GroupVersionKind): ResourceType | undefined {
    return this.#index().byKind.get(`${gvk.group}/${gvk.version}/${gvk.kind}`)
  }

  ofGroupKind(group: string, kind: string): ResourceType | undefined {
    return this.#index().byGroupKind.get(`${group}/${kind}`)
  }

  all(): readonly ResourceType[] {
    return this.#index().all
  }

  /** Looks at the stored CRDs again. */
  refresh(): void {
    this.#current = undefined
  }

  #index(): Index {
    this.#current ??= indexOf([...this.#builtinTypes, ...this.#customTypes()])
    return this.#current
  }

  #customTypes(): ResourceType[] {
    const crds = this.#store.list(crdCollection).filter(isEstablished)
    if (crds.length === 0) {
      this.#schema = undefined
      return []
    }
    const schema = schemaWithCrds(this.#builtin, crds)
    this.#schema = schema
    const owner = new Map(crds.map((crd) => [crdCollectionOf(crd), crd]))
    return schema.resources().flatMap((resource) => {
      const crd = owner.get(collectionOf(resource))
      if (crd === undefined) return []
      const type = schema.type(resource)
      const storage = resource.storage ?? resource
      const stored = { apiVersion: `${storage.group}/${storage.version}`, schema: schema.type(storage) }
      return [{ ...resourceType(resource, type, customRules(crd, resource, type), crd), stored }]
    })
  }
}

interface Index {
  readonly all: readonly ResourceType[]
  readonly byPath: ReadonlyMap<string, ResourceType>
  readonly byKind: ReadonlyMap<string, ResourceType>
  readonly byGroupKind: ReadonlyMap<string, ResourceType>
}

function indexOf(all: readonly ResourceType[]): Index {
  const byGroupKind = new Map<string, ResourceType>()
  for (const type of all) {
    const key = `${type.group}/${type.kind}`
    // The preferred version comes first.
    if (!byGroupKind.has(key)) byGroupKind.set(key, type)
  }
  return {
    all,
    byPath: new Map(all.map((type) => [`${type.group}/${type.version}/${type.resource}`, type])),
    byKind: new Map(all.map((type) => [`${type.group}/${type.version}/${type.kind}`, type])),
    byGroupKind,
  }
}

function crdCollectionOf(crd: KubeObject): string {
  const spec = isRecord(crd['spec']) ? crd['spec'] : {}
  const names = isRecord(spec['names']) ? spec['names'] : {}
  return collectionOf({ group: String(spec['group']), resource: String(names['plural']) })
}

function isEstablished(crd: KubeObject): boolean {
  const status = isRecord(crd['status']) ? crd['status'] : {}
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.some(
    (condition: unknown) =>
      isRecord(condition) && condition['type'] === 'Established' && condition['status'] === 'True',
  )
}

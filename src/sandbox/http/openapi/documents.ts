import { createHash } from 'node:crypto'
import { stringifyJson } from '../../../core/index.ts'
import type { OpenApiDocument, SchemaSet } from '../../../schema/index.ts'
import type { ResourceCatalog, ResourceType } from '../../resource-type.ts'
import { describePaths } from './paths.ts'
import { swaggerDocument } from './swagger.ts'
import { typeNamesOf } from './type-names.ts'

/** What OpenAPI needs to know of the sandbox; the schema is another one whenever a CRD changes. */
export interface DescribedCatalog extends ResourceCatalog {
  readonly schema: SchemaSet
}

/** OpenAPI documents, each built when it is first asked for and kept until the catalog changes. */
export class OpenApiDocuments {
  readonly #catalog: DescribedCatalog
  #schema: SchemaSet | undefined
  #texts = new Map<string, string | undefined>()

  constructor(catalog: DescribedCatalog) {
    this.#catalog = catalog
  }

  /** `/openapi/v3`: where the document of each group version is; its hash changes with it. */
  index(): string {
    return (
      this.#remember('', () => {
        const paths = Object.fromEntries(
          [...byGroupVersion(this.#catalog)].map(([groupVersion, types]) => {
            const path = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`
            return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#hash(types)}` }]
          }),
        )
        return { paths }
      }) ?? ''
    )
  }

  /** `/openapi/v3/api/v1`, `/openapi/v3/apis/GROUP/VERSION`; undefined where nothing is served. */
  groupVersion(groupVersion: string): string | undefined {
    return this.#remember(groupVersion, () => this.#describe(groupVersion))
  }

  /** `/openapi/v2`: everything in one document of the older form. */
  swagger(): string {
    return (
      this.#remember('v2', () => {
        const documents = [...byGroupVersion(this.#catalog).keys()].flatMap((name) => this.#describe(name) ?? [])
        return swaggerDocument(this.#catalog.schema.version, documents)
      }) ?? ''
    )
  }

  #describe(groupVersion: string): OpenApiDocument | undefined {
    const types = byGroupVersion(this.#catalog).get(groupVersion)
    const document = types === undefined ? undefined : this.#catalog.schema.openapi(groupVersion)
    if (types === undefined || document === undefined) return undefined
    return { ...document, paths: describePaths(types, typeNamesOf(document)) }
  }

  #remember(name: string, make: () => unknown): string | undefined {
    const { schema } = this.#catalog
    if (schema !== this.#schema) {
      this.#schema = schema
      this.#texts = new Map()
    }
    if (!this.#texts.has(name)) {
      const value = make()
      this.#texts.set(name, value === undefined ? undefined : stringifyJson(value))
    }
    return this.#texts.get(name)
  }

  // Built-in types change with the version only, others with the definition that they come from.
  #hash(types: readonly ResourceType[]): string {
    const definitions = types.map(({ crd }) => crd?.['spec'])
    const content = stringifyJson([this.#catalog.schema.version, definitions])
    return createHash('sha512').update(content).digest('hex').toUpperCase()
  }
}

function byGroupVersion(catalog: ResourceCatalog): Map<string, ResourceType[]> {
  return Map.groupBy(catalog.all(), ({ group, version }) => (group === '' ? version : `${group}/${version}`))
}

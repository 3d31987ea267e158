/** An OpenAPI v3 schema as built-in types and CustomResourceDefinitions write it; references are bare type names. */
export interface RawSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, RawSchema>>
  readonly items?: RawSchema
  readonly additionalProperties?: RawSchema | boolean
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly nullable?: boolean
  readonly oneOf?: readonly RawSchema[]
  readonly anyOf?: readonly RawSchema[]
  readonly allOf?: readonly RawSchema[]
  readonly not?: RawSchema
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly [keyword: string]: unknown
}

/** The name of the type that every object's metadata has. */
export const objectMetaType = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** The schema of one field, never that of an inherited property such as `constructor`. */
export function propertyOf(schema: RawSchema, name: string): RawSchema | undefined {
  const { properties } = schema
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

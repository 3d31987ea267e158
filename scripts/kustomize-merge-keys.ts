/** An OpenAPI schema, as far as merging is concerned. */
export interface OpenApiSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema | boolean
  readonly items?: OpenApiSchema
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[]
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
}

type Entry = number | { merge?: readonly string[]; of?: Entry; each?: Entry }

type Definitions = Readonly<Record<string, OpenApiSchema>>

/** Which lists of which types a patch merges, and by which keys: types by `apiVersion/kind`, and the definitions that they use. */
export function kustomizeMergeKeys(definitions: Definitions): unknown {
  const merging = mergingDefinitions(definitions)
  const names = Object.keys(definitions)
    .filter((name) => merging.has(name))
    .sort()
  const numbers = new Map(names.map((name, index) => [name, index]))
  const types = names.flatMap((name) =>
    (definitions[name]!['x-kubernetes-group-version-kind'] ?? []).map(({ group, version, kind }): [string, number] => [
      `${group === '' ? '' : `${group}/`}${version}/${kind}`,
      numbers.get(name)!,
    ]),
  )
  return {
    types: Object.fromEntries(types.sort(([a], [b]) => (a < b ? -1 : 1))),
    defs: names.map((name) => fieldsOf(definitions[name]!, numbers)),
  }
}

/** The definitions in which, or below which, a list merges; types may contain themselves. */
function mergingDefinitions(definitions: Definitions): Set<string> {
  const merging = new Set<string>()
  const merges = (schema: OpenApiSchema | undefined): boolean => {
    if (schema === undefined) return false
    if (schema.$ref !== undefined) return merging.has(nameOf(schema.$ref))
    return (
      mergeKeys(schema) !== undefined ||
      merges(schema.items) ||
      merges(valuesOf(schema)) ||
      Object.values(schema.properties ?? {}).some(merges)
    )
  }
  for (let before = -1; before !== merging.size;) {
    before = merging.size
    for (const [name, schema] of Object.entries(definitions)) if (merges(schema)) merging.add(name)
  }
  return merging
}

function fieldsOf(schema: OpenApiSchema, numbers: ReadonlyMap<string, number>): Record<string, Entry> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, entryOf(field, numbers)] as const,
  )
  return Object.fromEntries(fields.flatMap(([name, entry]) => (entry === undefined ? [] : [[name, entry]])))
}

function entryOf(schema: OpenApiSchema | undefined, numbers: ReadonlyMap<string, number>): Entry | undefined {
  if (schema === undefined) return undefined
  if (schema.$ref !== undefined) return numbers.get(nameOf(schema.$ref))
  const merge = mergeKeys(schema)
  const of = entryOf(schema.items, numbers)
  const each = entryOf(valuesOf(schema), numbers)
  if (merge === undefined && of === undefined && each === undefined) return undefined
  return { ...(merge && { merge }), ...(of === undefined ? {} : { of }), ...(each === undefined ? {} : { each }) }
}

function mergeKeys(schema: OpenApiSchema): readonly string[] | undefined {
  if (schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') !== true || schema.items === undefined) return
  const key = schema['x-kubernetes-patch-merge-key']
  return schema['x-kubernetes-list-map-keys'] ?? (key === undefined ? [] : [key])
}

function valuesOf(schema: OpenApiSchema): OpenApiSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function nameOf(ref: string): string {
  return ref.replace('#/definitions/', '')
}

import { isRecord, type GroupVersionKind } from '../../core/index.ts'
import { objectMetaType, type RawSchema } from './raw-schema.ts'

/** The schema of a custom resource as the API server publishes it: with the fields that every object has, and typed metadata. */
export function publishedSchema(schema: RawSchema, gvk: GroupVersionKind): RawSchema {
  return { ...withObjectFields(publish(schema)), 'x-kubernetes-group-version-kind': [gvkMark(gvk)] }
}

/** The schema of a list of custom resources. */
export function publishedList(itemType: string, gvk: GroupVersionKind): RawSchema {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: text,
      items: { type: 'array', items: { $ref: itemType } },
      kind: text,
      metadata: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' },
    },
    'x-kubernetes-group-version-kind': [gvkMark(gvk)],
  }
}

/** The OpenAPI name of a custom type: `com.example.v1.Widget` for group `example.com`. */
export function typeNameOf(gvk: GroupVersionKind): string {
  return `${gvk.group.split('.').toReversed().join('.')}.${gvk.version}.${gvk.kind}`
}

const text: RawSchema = { type: 'string' }

function publish(schema: RawSchema): RawSchema {
  // Structural schemas cannot refer; a reference smuggled in must not reach the types of others.
  const { $ref: _refused, properties, items, additionalProperties, ...rest } = schema
  const out: Record<string, unknown> = { ...rest }
  if (isRecord(properties)) {
    const fields = Object.entries(properties).map(([name, field]) => [name, publish(field)] as const)
    out['properties'] = Object.fromEntries(fields)
  }
  if (isRecord(items)) out['items'] = publish(items)
  if (additionalProperties !== undefined) {
    out['additionalProperties'] = isRecord(additionalProperties) ? publish(additionalProperties) : additionalProperties
  }
  if (out['x-kubernetes-int-or-string'] === true) out['anyOf'] ??= [{ type: 'integer' }, text]
  if (prunesEverything(out)) out['properties'] = {}
  return out['x-kubernetes-embedded-resource'] === true ? withObjectFields(out, ['kind', 'apiVersion']) : out
}

/** Unlike a built-in type, a custom object without a word about its fields keeps none. */
function prunesEverything(schema: RawSchema): boolean {
  const { type, properties, additionalProperties } = schema
  const silent = properties === undefined && additionalProperties === undefined
  return type === 'object' && silent && schema['x-kubernetes-preserve-unknown-fields'] !== true
}

function withObjectFields(schema: RawSchema, required: readonly string[] = []): RawSchema {
  const known = schema.required ?? []
  const all = [...known, ...required.filter((name) => !known.includes(name))]
  return {
    ...schema,
    type: 'object',
    ...(all.length === 0 ? {} : { required: all }),
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: { $ref: objectMetaType } },
  }
}

function gvkMark({ group, kind, version }: GroupVersionKind): Pick<GroupVersionKind, 'group' | 'kind' | 'version'> {
  return { group, kind, version }
}

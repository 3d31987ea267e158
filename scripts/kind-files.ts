import type { RawSchema } from '../src/schema/index.ts'
import { fieldLines, type TypeTextOptions, typeText } from '../src/schema/typescript/type-text.ts'
import { packageOf, referencedBy } from './compact-schema.ts'

/** The tables of built-in types. */
export interface SchemaData {
  readonly types: Readonly<Record<string, RawSchema>>
  /** `group/version/kind` to the name of its type. */
  readonly kinds: Readonly<Record<string, string>>
  readonly resources: readonly { group: string; version: string; kind: string; scope: string }[]
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const objectMeta = `${meta}.ObjectMeta`
const bytes = 'bytes'
const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'

/** Types that are written by hand in object-meta.ts, or need no name. */
const handWritten: Readonly<Record<string, string>> = {
  [objectMeta]: 'ObjectMeta',
  [`${meta}.OwnerReference`]: 'OwnerReference',
  [`${meta}.ManagedFieldsEntry`]: 'ManagedFieldsEntry',
  [`${meta}.FieldsV1`]: 'Record<string, unknown>',
  [bytes]: 'Base64',
  [`${meta}.Time`]: 'Time',
  [`${meta}.MicroTime`]: 'MicroTime',
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'Quantity',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'RawExtension',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'IntOrString',
  // Their schemas say nothing; this is what apiextensions' own JSON code reads and writes.
  [`${apiextensions}.JSON`]: 'unknown',
  [`${apiextensions}.JSONSchemaPropsOrArray`]: 'JSONSchemaProps | JSONSchemaProps[]',
  [`${apiextensions}.JSONSchemaPropsOrBool`]: 'JSONSchemaProps | boolean',
  [`${apiextensions}.JSONSchemaPropsOrStringArray`]: 'JSONSchemaProps | string[]',
}

/** Which package a name belongs to that several packages use; the others put their group and version in front. */
const owners: Readonly<Record<string, string>> = {
  CrossVersionObjectReference: 'api.autoscaling.v2',
  EndpointPort: 'api.core.v1',
  Event: 'api.core.v1',
  EventSeries: 'api.core.v1',
  HorizontalPodAutoscaler: 'api.autoscaling.v2',
  HorizontalPodAutoscalerSpec: 'api.autoscaling.v2',
  HorizontalPodAutoscalerStatus: 'api.autoscaling.v2',
  ResourceClaim: 'api.resource.v1',
  ServiceReference: 'api.admissionregistration.v1',
  Subject: 'api.rbac.v1',
  TokenRequest: 'api.authentication.v1',
  WebhookClientConfig: 'api.admissionregistration.v1',
}

/** The generated files, name to text: one for each Go package, and the map of all kinds. */
export function kindFiles(data: SchemaData): Map<string, string> {
  const kinds = objectKinds(data)
  const reachable = reach(data, [...kinds.values()])
  const names = typeNames(reachable)
  const packages = Map.groupBy(reachable, packageOf)
  const files = new Map(
    [...packages].map(([name, types]) => [fileOf(name), packageText(data, name, types, kinds, names)]),
  )
  return files.set('builtin-kinds.ts', mapText(kinds, names)).set('index.ts', indexText([...packages.keys()]))
}

/** Every kind that is an object with metadata; lists and options are none. */
function objectKinds({ kinds, types }: SchemaData): Map<string, string> {
  const objects = Object.entries(kinds).filter(([, name]) => types[name]?.properties?.['metadata']?.$ref === objectMeta)
  return new Map(objects.map(([key, name]) => [key.replace(/^\//, ''), name]))
}

function reach({ types }: SchemaData, roots: string[]): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    const schema = types[name]
    if (found.has(name) || schema === undefined) return
    if (handWritten[name] === undefined) found.add(name)
    for (const inner of referencedBy(schema)) if (inner !== name) visit(inner)
  }
  for (const root of roots) visit(root)
  return [...found].sort()
}

function typeNames(types: string[]): Map<string, string> {
  const shared = Map.groupBy(types, shortName)
  return new Map(
    types.map((type) => {
      const name = shortName(type)
      if (shared.get(name)?.length === 1) return [type, name]
      const owner = owners[name]
      if (owner === undefined) throw new Error(`${name} is in several packages: say in \`owners\` whose it is`)
      return [type, owner === packageOf(type) ? name : `${pascal(groupVersionOf(packageOf(type)))}${name}`]
    }),
  )
}

function packageText(
  data: SchemaData,
  name: string,
  types: string[],
  kinds: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): string {
  const imports = new Map<string, Set<string>>()
  const use = (file: string, type: string): string => {
    imports.set(file, (imports.get(file) ?? new Set()).add(type))
    return type
  }
  const known = (type: string): string => {
    const written = handWritten[type]
    if (written !== undefined) return /^[A-Z]\w+$/.test(written) ? use('../object-meta.ts', written) : written
    const short = names.get(type) ?? 'unknown'
    return packageOf(type) === name ? short : use(`./${fileOf(packageOf(type))}`, short)
  }
  const roots = new Map([...kinds].map(([key, type]) => [type, key]))
  const options: TypeTextOptions = {
    // A template of an object has neither kind nor version of its own.
    reference: (type) => (roots.has(type) ? `Omit<${known(type)}, 'apiVersion' | 'kind'>` : known(type)),
    defaultsFillRequired: false,
    descriptions: true,
    embeddedResource: () => 'EmbeddedObject',
  }
  const bodies = types.map((type) => {
    const schema = withBytes(data.types[type] ?? {})
    const key = roots.get(type)
    return key === undefined
      ? structText(type, schema, names, options)
      : kindText(data, key, schema, names.get(type) ?? '', options, use)
  })
  const lines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, used]) => `import type { ${[...used].sort().join(', ')} } from '${file}'`)
  return [header, ...lines, '', bodies.join('\n\n'), ''].join('\n')
}

const header = '// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.'

function structText(
  type: string,
  schema: RawSchema,
  names: ReadonlyMap<string, string>,
  options: TypeTextOptions,
): string {
  const doc = `/** \`${shortName(type)}\` of \`${groupVersionOf(packageOf(type))}\`. */`
  return `${doc}\nexport type ${names.get(type)} = ${typeText(schema, options)}`
}

function kindText(
  data: SchemaData,
  key: string,
  schema: RawSchema,
  name: string,
  options: TypeTextOptions,
  use: (file: string, type: string) => string,
): string {
  const apiVersion = key.slice(0, key.lastIndexOf('/'))
  const kind = key.slice(apiVersion.length + 1)
  const scope = data.resources.find(
    (each) => each.kind === kind && [each.group, each.version].filter(Boolean).join('/') === apiVersion,
  )?.scope
  const doc = `/** The ${scope === 'Cluster' ? 'cluster-scoped ' : ''}kind \`${kind}\` of \`${apiVersion}\`. */`
  const fields = fieldLines(schema, options, '  ', ['apiVersion', 'kind', 'metadata'])
  const own = [
    `  apiVersion: '${apiVersion}'`,
    `  kind: '${kind}'`,
    `  metadata: ${use('../object-meta.ts', 'NamedObjectMeta')}`,
  ]
  return `${doc}\nexport type ${name} = {\n${[...own, ...fields].join('\n')}\n}`
}

/** Bytes are told from text by their format alone. */
function withBytes(schema: RawSchema): RawSchema {
  if (schema.format === 'byte') return { $ref: bytes }
  const { properties, additionalProperties, items } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withBytes(field)])),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: withBytes(additionalProperties) }),
    ...(items && { items: withBytes(items) }),
  }
}

function mapText(kinds: ReadonlyMap<string, string>, names: ReadonlyMap<string, string>): string {
  const byFile = Map.groupBy([...kinds], ([, type]) => fileOf(packageOf(type)))
  const imports = [...byFile]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([file, entries]) =>
        `import type { ${entries
          .map(([, type]) => names.get(type) ?? '')
          .sort()
          .join(', ')} } from './${file}'`,
    )
  const rows = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, type]) => `  '${key}': ${names.get(type)}`)
  const doc = '/** The built-in kinds by `apiVersion/kind`. */'
  return [header, ...imports, '', doc, 'export interface BuiltinKinds {', ...rows, '}', ''].join('\n')
}

function indexText(packages: string[]): string {
  return [
    header,
    ...packages
      .map(fileOf)
      .sort()
      .map((file) => `export type * from './${file}'`),
    '',
  ].join('\n')
}

function shortName(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1)
}

/** `core/v1` for `api.core.v1`, `meta/v1` for `apimachinery.pkg.apis.meta.v1`. */
function groupVersionOf(name: string): string {
  return name.split('.').slice(-2).join('/')
}

function fileOf(name: string): string {
  return `${groupVersionOf(name).replace('/', '-')}.ts`
}

function pascal(text: string): string {
  return text
    .split('/')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
}

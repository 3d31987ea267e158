import { compareText, formatApiVersion, isRecord, type KubeObject, LadingError } from '../../core/index.ts'
import { type CrdVersion, servedVersions } from '../kinds/crd-schema.ts'
import type { RawSchema } from '../kinds/raw-schema.ts'
import { isWellFormed } from '../kinds/well-formed.ts'
import { docComment, fieldLines, quote, type TypeTextOptions, typeText } from './type-text.ts'
import { type TypeNames, withTypeNames } from './type-names.ts'

/** Which custom kinds are written. */
export interface CrdTypesOptions {
  /** CRDs by name (`shops.example.com`), kind (`Shop`) or group (`example.com`); all when absent. */
  readonly only?: readonly string[]
  /** Whether descriptions become doc comments (default: true); of some CRDs they are most of the text. */
  readonly descriptions?: boolean
}

/** TypeScript for custom kinds. */
export interface CrdTypes {
  /** A module that declares a type for each served version and adds it to `KubeKinds`. */
  readonly text: string
  /** What was written, as `apiVersion/kind`. */
  readonly kinds: readonly string[]
}

/** Writes TypeScript for the kinds of CustomResourceDefinitions, in an order that depends on their names only. */
export function crdTypes(objects: readonly KubeObject[], options: CrdTypesOptions = {}): CrdTypes {
  const crds = chosen(
    objects.filter((object) => servedVersions(object).length > 0),
    options.only,
  )
  if (crds.length === 0)
    throw new LadingError('kube.unknown-kind', 'there is no CustomResourceDefinition that is served')
  const versions = withTypeNames(crds.flatMap(servedVersions).sort(byKind))
  const uses = new Set<string>()
  const bodies = versions.map((version) => kindText(version, options.descriptions ?? true, uses))
  const rows = versions.map(({ resource, names }) => `    ${quote(keyOf(resource))}: ${names.kind}`)
  const text = [
    '// Written by `lading types`; do not edit.',
    `import type { ${[...uses].sort().join(', ')} } from 'lading/kinds'`,
    '',
    bodies.join('\n\n'),
    '',
    "declare module 'lading/kinds' {",
    '  interface KubeKinds {',
    ...rows,
    '  }',
    '}',
    '',
  ].join('\n')
  return { text, kinds: versions.map(({ resource }) => keyOf(resource)) }
}

function chosen(crds: readonly KubeObject[], only: readonly string[] | undefined): KubeObject[] {
  const matching = (wish: string): KubeObject[] =>
    crds.filter((crd) => crd.metadata.name === wish || namesOf(crd).includes(wish))
  if (only === undefined) return [...new Map(crds.map((crd) => [crd.metadata.name, crd])).values()]
  const missing = only.filter((wish) => matching(wish).length === 0)
  if (missing.length > 0) {
    const known = crds.map((crd) => crd.metadata.name).sort(compareText)
    const there = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
    throw new LadingError('kube.unknown-kind', `no CustomResourceDefinition matches ${missing.join(', ')}: ${there}`, {
      missing,
    })
  }
  return [...new Set(only.flatMap(matching))]
}

function keyOf(resource: CrdVersion['resource']): string {
  return `${formatApiVersion(resource)}/${resource.kind}`
}

function namesOf(crd: KubeObject): string[] {
  return servedVersions(crd).flatMap(({ resource }) => [resource.kind, resource.group])
}

function byKind(a: CrdVersion, b: CrdVersion): number {
  const key = ({ resource }: CrdVersion): string => `${resource.group}/${resource.kind}`
  // The served versions of a CRD come with the preferred one first, and sorting keeps that.
  return compareText(key(a), key(b))
}

const parts = ['spec', 'status'] as const

function kindText(
  version: CrdVersion & { readonly names: TypeNames },
  descriptions: boolean,
  uses: Set<string>,
): string {
  const { resource, deprecated, names } = version
  // The API server refuses a schema that is not well formed, so nothing is known of its objects.
  const schema = isWellFormed(version.schema) ? version.schema : freeForm
  const options = optionsWith(descriptions, uses)
  const lines = [
    ...docComment(descriptionOf(descriptions ? schema : {}, resource, deprecated), ''),
    `export type ${names.kind} = {`,
    `  apiVersion: ${quote(formatApiVersion(resource))}`,
    `  kind: ${quote(resource.kind)}`,
    `  metadata: ${metadataText(schema, options, uses)}`,
  ]
  const named: string[] = []
  for (const part of parts) {
    const field = schema.properties?.[part]
    if (!isRecord(field)) continue
    const mark = schema.required?.includes(part) === true ? '' : '?'
    lines.push(`  ${part}${mark}: ${names[part]}`)
    named.push(partText(names[part], part, names.kind, field, options))
  }
  lines.push(...fieldLines(schema, options, '  ', ['apiVersion', 'kind', 'metadata', ...parts]), '}')
  return [lines.join('\n'), ...named].join('\n\n')
}

function partText(name: string, part: string, kind: string, field: RawSchema, options: TypeTextOptions): string {
  const written = options.descriptions ? field['description'] : undefined
  const description = typeof written === 'string' ? written : `The ${part} of ${kind}.`
  return [...docComment(description, ''), `export type ${name} = ${typeText(field, options)}`].join('\n')
}

function descriptionOf(schema: RawSchema, resource: CrdVersion['resource'], deprecated: boolean): string {
  const { description } = schema
  const own = `The ${resource.scope === 'Cluster' ? 'cluster-scoped ' : ''}kind \`${resource.kind}\` of \`${formatApiVersion(resource)}\`.`
  const text = typeof description === 'string' && description.trim() !== '' ? `${own}\n\n${description.trim()}` : own
  return deprecated ? `${text}\n@deprecated` : text
}

/** A CRD may narrow the metadata, for example to one name; what it does not mention stays. */
function metadataText(schema: RawSchema, options: TypeTextOptions, uses: Set<string>): string {
  uses.add('NamedObjectMeta')
  const own = schema.properties?.['metadata']?.properties
  if (own === undefined || Object.keys(own).length === 0) return 'NamedObjectMeta'
  return `NamedObjectMeta & ${typeText({ type: 'object', properties: own }, options, '  ')}`
}

function optionsWith(descriptions: boolean, uses: Set<string>): TypeTextOptions {
  return {
    reference: () => 'unknown',
    defaultsFillRequired: true,
    descriptions,
    embeddedResource: () => {
      uses.add('EmbeddedObject')
      return 'EmbeddedObject'
    },
  }
}

const freeForm: RawSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

import { isDeepStrictEqual } from 'node:util'
import { isDnsLabel1035, isDnsSubdomain, type KubeObject } from '../../core/index.ts'
import { builtinSchema, schemaWithCrds } from '../../schema/index.ts'
import { invalidValue, required } from '../api/write/validate-meta.ts'
import type { Cause } from '../status-error.ts'
import { hasCondition } from './conditions.ts'
import { type CrdSpec, crdSpec, type CrdVersion, partPath, type ScalePaths } from './crd-spec.ts'
import { unsupported, validateStructural, wrongDefaults } from './validate-structural.ts'

/** What the API server refuses a CustomResourceDefinition for. */
export function validateCrd(crd: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = crdSpec(crd)
  return [
    ...validateIdentity(crd, spec),
    ...validateNames(spec),
    ...validateScope(spec),
    ...validateVersions(spec),
    ...spec.versions.flatMap((version, index) => validateVersion(spec, version, index)),
    ...validateConversion(spec),
    ...validateDefaults(crd, spec),
    ...(old === undefined ? [] : validateChange(spec, old)),
  ]
}

function validateIdentity(crd: KubeObject, { group = '', names, preserveUnknownFields }: CrdSpec): Cause[] {
  const { name, annotations } = crd.metadata
  const causes: Cause[] = []
  if (name !== `${names.plural ?? ''}.${group}`) {
    causes.push(invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group'))
  }
  const approval = 'api-approved.kubernetes.io'
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(group) && annotations?.[approval] === undefined) {
    const why = `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`
    causes.push(required(`metadata.annotations[${approval}]`, why))
  }
  if (group === '') causes.push(required('spec.group', ''))
  else if (!isDnsSubdomain(group)) causes.push(invalidValue('spec.group', group, 'must be a DNS-1123 subdomain'))
  if (preserveUnknownFields === true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    causes.push(invalidValue('spec.preserveUnknownFields', true, why))
  }
  return causes
}

function validateNames({ names }: CrdSpec): Cause[] {
  const resources = (['plural', 'singular'] as const).flatMap((field) =>
    labelCauses(`spec.names.${field}`, names[field]),
  )
  const kinds = (['kind', 'listKind'] as const).flatMap((field) => {
    const name = names[field]
    if (name === undefined || name === '') return [required(`spec.names.${field}`, '')]
    if (isDnsLabel1035(name.toLowerCase())) return []
    return [
      invalidValue(`spec.names.${field}`, name, `may have mixed case, but should otherwise match: ${labelMessage}`),
    ]
  })
  const lists = (['shortNames', 'categories'] as const).flatMap((field) =>
    (names[field] ?? []).flatMap((name, index) => labelCauses(`spec.names.${field}[${index}]`, name)),
  )
  const same =
    names.kind !== undefined && names.kind !== '' && names.kind === names.listKind
      ? [invalidValue('spec.names.listKind', names.listKind, 'kind and listKind may not be the same')]
      : []
  return [...resources, ...kinds, ...lists, ...same]
}

function validateScope({ scope = '' }: CrdSpec): Cause[] {
  if (scope === '') return [required('spec.scope', '')]
  return scope === 'Cluster' || scope === 'Namespaced'
    ? []
    : [unsupported('spec.scope', scope, ['Cluster', 'Namespaced'])]
}

function validateVersions({ versions }: CrdSpec): Cause[] {
  const names = versions.map(({ name }) => name)
  const causes: Cause[] = []
  if (new Set(names).size < names.length) {
    causes.push(invalidValue('spec.versions', names, 'must contain unique version names'))
  }
  const storage = versions.filter((version) => version.storage === true)
  if (storage.length === 1) return causes
  causes.push(invalidValue('spec.versions', names, 'must have exactly one version marked as storage version'))
  if (storage.length === 0) {
    causes.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'))
  }
  return causes
}

function validateVersion({ versions }: CrdSpec, version: CrdVersion, index: number): Cause[] {
  const causes = labelCauses(`spec.versions[${index}].name`, version.name)
  const schema = version.schema?.openAPIV3Schema
  if (schema === undefined) causes.push(required(`spec.versions[${index}].schema.openAPIV3Schema`, ''))
  const schemaPath = partPath(versions, index, 'schema', 'openAPIV3Schema')
  // What all versions say is kept once, and refused once.
  const first = !schemaPath.startsWith('spec.validation') || index === 0
  if (schema !== undefined && first) causes.push(...validateStructural(schema, schemaPath))
  const path = (below: string): string => partPath(versions, index, 'other', below)
  if (index > 0 && !path('').startsWith('spec.versions')) return causes
  for (const [column, { type = '', jsonPath = '' }] of (version.additionalPrinterColumns ?? []).entries()) {
    const at = path(`additionalPrinterColumns[${column}]`)
    if (!columnTypes.includes(type))
      causes.push(invalidValue(`${at}.type`, type, `must be one of ${columnTypes.join()}`))
    if (!jsonPath.startsWith('.')) causes.push(invalidValue(`${at}.JSONPath`, jsonPath, simplePath))
  }
  const scale = version.subresources?.scale
  if (scale !== undefined) causes.push(...validateScale(scale, path('subresources.scale')))
  return causes
}

function validateScale(scale: ScalePaths, at: string): Cause[] {
  const check = (field: keyof ScalePaths, root: string): Cause[] => {
    const path = scale[field] ?? ''
    if (path === '') return field === 'labelSelectorPath' ? [] : [required(`${at}.${field}`, '')]
    if (!path.startsWith('.')) return [invalidValue(`${at}.${field}`, path, simplePath)]
    const under = path.startsWith(`${root}.`) || (field === 'labelSelectorPath' && path.startsWith('.spec.'))
    return under ? [] : [invalidValue(`${at}.${field}`, path, `should be a json path under ${root}`)]
  }
  return [
    ...check('specReplicasPath', '.spec'),
    ...check('statusReplicasPath', '.status'),
    ...check('labelSelectorPath', '.status'),
  ]
}

function validateConversion({ conversion }: CrdSpec): Cause[] {
  const { strategy = '', webhook } = conversion ?? {}
  if (strategy === 'None') return []
  if (strategy !== 'Webhook') return [unsupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])]
  return [
    ...(webhook?.clientConfig === undefined
      ? [required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook')]
      : []),
    ...((webhook?.conversionReviewVersions ?? []).length === 0
      ? [required('spec.conversion.conversionReviewVersions', '')]
      : []),
  ]
}

function validateDefaults(crd: KubeObject, { group = '', names, versions }: CrdSpec): Cause[] {
  if (versions.length === 0) return []
  const schema = schemaWithCrds(builtinSchema(), [crd])
  return versions.flatMap(({ name = '' }, index) => {
    const path = partPath(versions, index, 'schema', 'openAPIV3Schema')
    const node = schema.type({ group, version: name, kind: names.kind ?? '' })
    // What all versions say is kept once, and refused once.
    return node === undefined || (index > 0 && path.startsWith('spec.validation')) ? [] : wrongDefaults(node, path)
  })
}

// Once objects can exist, what they are stored under must stay.
function validateChange(spec: CrdSpec, old: KubeObject): Cause[] {
  const before = crdSpec(old)
  const changed = (field: string, is: unknown, was: unknown): Cause[] =>
    isDeepStrictEqual(is, was) ? [] : [invalidValue(field, is, 'field is immutable')]
  const established = hasCondition(old, 'Established')
  return [
    ...changed('spec.group', spec.group, before.group),
    ...(established ? changed('spec.scope', spec.scope, before.scope) : []),
    ...(established ? changed('spec.names.kind', spec.names.kind, before.names.kind) : []),
    ...changed('spec.names.plural', spec.names.plural, before.names.plural),
    ...validateStored(spec, old),
  ]
}

function validateStored({ versions }: CrdSpec, old: KubeObject): Cause[] {
  const stored: unknown = (old['status'] as { storedVersions?: unknown } | undefined)?.storedVersions
  if (!Array.isArray(stored)) return []
  return stored.flatMap((name: unknown, index) =>
    versions.some((version) => version.name === name)
      ? []
      : [
          invalidValue(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${String(name)} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${String(name)} and removes ${String(name)} from status.storedVersions`,
          ),
        ],
  )
}

function labelCauses(field: string, name: string | undefined): Cause[] {
  if (name === undefined || name === '') return [required(field, '')]
  return isDnsLabel1035(name) ? [] : [invalidValue(field, name, labelMessage)]
}

const labelMessage =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const simplePath = 'must be a simple json path starting with .'

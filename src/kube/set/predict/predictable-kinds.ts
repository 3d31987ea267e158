import { gvkOf, isDnsLabel1035, isDnsSubdomain, isRecord, type KubeObject } from '../../../core/index.ts'
import { areLabels } from './valid-metadata.ts'

/** A kind of which it can be told without the API server whether an object is valid. */
export interface PredictableKind {
  /** Fields that are maps of their own keys: what changes in them is told key by key. */
  readonly maps: readonly string[]
  /** Fields that are replaced as a whole. */
  readonly wholes: readonly string[]
  /** Whether an object that fits its type is surely valid; what it is not sure of it denies. */
  isValid(object: KubeObject): boolean
}

/**
 * The kinds that hold little more than data. Their validation is short and has been the same for years; workloads and
 * everything else are checked by code of the API server that nobody should repeat.
 */
export function predictableKind(object: KubeObject): PredictableKind | undefined {
  const { group, version, kind } = gvkOf(object)
  return version === 'v1' ? kinds[`${group}/${kind}`] : undefined
}

const rbac = 'rbac.authorization.k8s.io'

const kinds: Readonly<Record<string, PredictableKind>> = {
  '/ConfigMap': {
    maps: ['data'],
    wholes: [],
    isValid: (object) =>
      hasOnly(object, ['data', 'immutable']) &&
      isDnsSubdomain(object.metadata.name) &&
      areEntries(object['data'], () => true),
  },
  '/Secret': {
    maps: ['data'],
    wholes: [],
    isValid: (object) =>
      hasOnly(object, ['data', 'immutable', 'type']) &&
      isDnsSubdomain(object.metadata.name) &&
      // Other types have keys that must be there.
      (object['type'] ?? 'Opaque') === 'Opaque' &&
      areEntries(object['data'], isBase64),
  },
  '/ServiceAccount': {
    maps: [],
    wholes: ['automountServiceAccountToken'],
    isValid: (object) => hasOnly(object, ['automountServiceAccountToken']) && isDnsSubdomain(object.metadata.name),
  },
  '/Service': { maps: [], wholes: [], isValid: isPlainService },
  [`${rbac}/Role`]: {
    maps: [],
    wholes: ['rules'],
    isValid: (object) =>
      hasOnly(object, ['rules']) && isPathSegment(object.metadata.name) && listOf(object['rules']).every(isPolicyRule),
  },
  [`${rbac}/RoleBinding`]: {
    maps: [],
    wholes: ['subjects'],
    isValid: (object) =>
      hasOnly(object, ['roleRef', 'subjects']) &&
      isPathSegment(object.metadata.name) &&
      isRoleRef(object['roleRef']) &&
      listOf(object['subjects']).every(isSubject),
  },
}

function hasOnly(object: Readonly<Record<string, unknown>>, fields: readonly string[]): boolean {
  return Object.keys(object).every((field) => fields.includes(field) || typeFields.has(field))
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
// One MiB is the limit of the API server for all values.
const largestData = 1_000_000

/** Whether the keys of a ConfigMap's or Secret's data, its values and their size are fine. */
function areEntries(data: unknown, isValue: (value: string) => boolean): boolean {
  if (data === undefined) return true
  if (!isRecord(data)) return false
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    if (key.length > 253 || !/^[-._a-zA-Z0-9]+$/.test(key) || key === '.' || key.startsWith('..')) return false
    if (typeof value !== 'string' || !isValue(value)) return false
    size += key.length + Buffer.byteLength(value)
  }
  return size <= largestData
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

/** Whether a Service asks for nothing that has to be given out or looked up. */
function isPlainService(object: KubeObject): boolean {
  const { spec } = object
  if (!hasOnly(object, ['spec']) || !isDnsLabel1035(object.metadata.name) || !isRecord(spec)) return false
  const known = Object.keys(spec).every((field) => ['clusterIP', 'ports', 'selector', 'type'].includes(field))
  const address = spec['clusterIP'] === undefined || spec['clusterIP'] === 'None'
  const ports = listOf(spec['ports'])
  const names = ports.map((port) => (isRecord(port) ? port['name'] : undefined))
  return (
    known &&
    address &&
    (spec['type'] ?? 'ClusterIP') === 'ClusterIP' &&
    areLabels(spec['selector']) &&
    ports.length > 0 &&
    ports.every(isPort) &&
    (ports.length === 1 || names.every((name) => name !== undefined)) &&
    new Set(names).size === names.length
  )
}

function isPort(port: unknown): boolean {
  if (!isRecord(port)) return false
  const { name, port: number, targetPort, protocol = 'TCP', ...others } = port
  return (
    Object.keys(others).length === 0 &&
    (name === undefined || (typeof name === 'string' && isDnsLabel1035(name))) &&
    isPortNumber(number) &&
    (targetPort === undefined || isPortNumber(targetPort) || isPortName(targetPort)) &&
    protocol === 'TCP'
  )
}

function isPortNumber(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535
}

/** A name of RFC 6335, in the lower case that the API server wants. */
function isPortName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 15 && /^[a-z](?:-?[a-z0-9])*$/.test(value)
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}

function isPolicyRule(rule: unknown): boolean {
  if (!isRecord(rule)) return false
  const { verbs, apiGroups, resources, resourceNames: _, ...others } = rule
  return Object.keys(others).length === 0 && [verbs, apiGroups, resources].every((list) => listOf(list).length > 0)
}

function isRoleRef(role: unknown): boolean {
  if (!isRecord(role)) return false
  const { kind, name } = role
  return role['apiGroup'] === rbac && (kind === 'Role' || kind === 'ClusterRole') && isNamed(name)
}

function isSubject(subject: unknown): boolean {
  if (!isRecord(subject)) return false
  const { kind, name, namespace, apiGroup } = subject
  if (kind === 'ServiceAccount') {
    return (
      apiGroup === undefined &&
      typeof name === 'string' &&
      isDnsSubdomain(name) &&
      typeof namespace === 'string' &&
      namespace !== ''
    )
  }
  return (
    (kind === 'User' || kind === 'Group') &&
    apiGroup === rbac &&
    namespace === undefined &&
    typeof name === 'string' &&
    name !== ''
  )
}

function isNamed(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && isPathSegment(name)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

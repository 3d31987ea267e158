import {
  isDnsLabel,
  isDnsLabel1035,
  isDnsSubdomain,
  isLabelValue,
  isQualifiedName,
  type KubeObject,
  labelValueMessage,
  type OwnerReference,
  qualifiedNameMessage,
  stringifyJson,
} from '../../../core/index.ts'
import type { Backend } from '../../backend.ts'
import { forbiddenField, invalidValue, required } from '../../kinds/causes.ts'
import type { ResourceType } from '../../resource-type.ts'
import { type Cause, forbidden, notFound } from '../../status-error.ts'

export { invalidValue, required }

/** Kinds whose names are single parts of DNS names. */
const labelNames = new Set(['Namespace', 'StatefulSet'])
/** Kinds whose names may be any segment of a path. */
const freeNames = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'PodDisruptionBudget',
  'APIService',
  'Event',
  'CertificateSigningRequest',
])

/** What is wrong with an object's metadata. */
export function validateMeta(type: ResourceType, object: KubeObject, old: KubeObject | undefined): Cause[] {
  const { metadata } = object
  return [
    ...(old === undefined ? validateName(type, metadata.name) : []),
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations),
    ...validateOwners(metadata.ownerReferences),
    ...validateFinalizers(metadata.finalizers, knowsStandardFinalizers(type)),
    ...(old === undefined ? [] : validateDeletion(metadata.finalizers, old)),
  ]
}

/** Refuses new content for a namespace that is missing or going away. */
export function checkNamespace(backend: Backend, type: ResourceType, object: KubeObject): void {
  if (!type.namespaced) return
  const name = object.metadata.namespace ?? ''
  const namespace = backend.store.get('/namespaces', '', name)
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces', kind: 'Namespace' }, name)
  if (namespace.metadata.deletionTimestamp === undefined) return
  const why = `unable to create new content in namespace ${name} because it is being terminated`
  throw forbidden(type, object.metadata.name, why, [
    { reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' },
  ])
}

function validateName(type: ResourceType, name: string): Cause[] {
  const refused = (why: string): Cause[] => [invalidValue('metadata.name', name, why)]
  if (name === '') return [required('metadata.name', 'name or generateName is required')]
  if (type.crd === undefined && isFree(type)) {
    return /[/%]/.test(name) || name === '.' || name === '..' ? refused("may not contain '/'") : []
  }
  if (type.crd === undefined && labelNames.has(type.kind)) return isDnsLabel(name) ? [] : refused(labelMessage)
  if (type.group === '' && type.kind === 'Service') return isDnsLabel1035(name) ? [] : refused(label1035Message)
  return isDnsSubdomain(name) ? [] : refused(subdomainMessage)
}

function isFree(type: ResourceType): boolean {
  return freeNames.has(type.kind) && type.group !== 'events.k8s.io'
}

function validateLabels(labels: Record<string, string> | undefined): Cause[] {
  const causes: Cause[] = []
  for (const key in labels) {
    if (!isQualifiedName(key)) causes.push(invalidValue('metadata.labels', key, qualifiedNameMessage))
    const value = labels[key] ?? ''
    if (!isLabelValue(value)) causes.push(invalidValue('metadata.labels', value, labelValueMessage))
  }
  return causes
}

function validateAnnotations(annotations: Record<string, string> | undefined): Cause[] {
  let size = 0
  const causes: Cause[] = []
  for (const key in annotations) {
    size += key.length + (annotations[key]?.length ?? 0)
    if (!isQualifiedName(key.toLowerCase()))
      causes.push(invalidValue('metadata.annotations', key, qualifiedNameMessage))
  }
  if (size <= 262_144) return causes
  const message = 'Too long: may not be more than 262144 bytes'
  return [...causes, { reason: 'FieldValueTooLong', message, field: 'metadata.annotations' }]
}

function validateOwners(owners: readonly OwnerReference[] | undefined): Cause[] {
  const causes: Cause[] = []
  const empty = (field: 'apiVersion' | 'kind' | 'name' | 'uid', owner: OwnerReference): void => {
    if (owner[field] === '') {
      causes.push(invalidValue(`metadata.ownerReferences.${field}`, owner[field], 'must not be empty'))
    }
  }
  for (const owner of owners ?? []) {
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) empty(field, owner)
    if (owner.apiVersion.split('/').length > 2) {
      causes.push(invalidValue('metadata.ownerReferences.apiVersion', owner.apiVersion, 'version must not be empty'))
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      const why = '/v1, Kind=Event is disallowed from being an owner'
      causes.push(invalidValue('metadata.ownerReferences', owner, why))
    }
  }
  const controllers = (owners ?? []).filter((owner) => owner.controller === true)
  if (controllers.length > 1) {
    causes.push(invalidValue('metadata.ownerReferences', owners, 'Only one reference can have Controller set to true'))
  }
  return causes
}

function validateFinalizers(finalizers: readonly string[] | undefined, strict: boolean): Cause[] {
  const causes: Cause[] = []
  finalizers?.forEach((finalizer, index) => {
    if (!isQualifiedName(finalizer)) causes.push(invalidValue('metadata.finalizers', finalizer, qualifiedNameMessage))
    if (!strict || finalizer.includes('/') || standardFinalizers.has(finalizer)) return
    const why = 'name is neither a standard finalizer name nor is it fully qualified'
    causes.push(invalidValue(`metadata.finalizers[${index}]`, finalizer, why))
  })
  return causes
}

/** Extensions of the API take any name for a finalizer, the kinds of the API server itself want a domain before it. */
function knowsStandardFinalizers(type: ResourceType): boolean {
  return type.crd === undefined && type.group !== 'apiextensions.k8s.io' && type.group !== 'apiregistration.k8s.io'
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

function validateDeletion(finalizers: readonly string[] | undefined, old: KubeObject): Cause[] {
  if (old.metadata.deletionTimestamp === undefined) return []
  const known = new Set(old.metadata.finalizers)
  const added = (finalizers ?? []).filter((finalizer) => !known.has(finalizer))
  if (added.length === 0) return []
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${stringifyJson(added)}`
  return [forbiddenField('metadata.finalizers', why)]
}

const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const label1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"

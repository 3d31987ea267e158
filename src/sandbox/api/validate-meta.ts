import type { KubeObject } from '../../core/index.ts'
import type { Backend } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'
import { type Cause, forbidden, notFound } from '../status-error.ts'

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const qualifiedName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/

/** Kinds whose names are labels of DNS, not more. */
const labelNames = new Set(['Namespace', 'Service'])
/** Kinds whose names may be any path segment. */
const freeNames = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'])

/** What is wrong with an object's metadata. */
export function validateMeta(type: ResourceType, object: KubeObject, old: KubeObject | undefined): Cause[] {
  const { metadata } = object
  return [
    ...(old === undefined ? validateName(type, metadata.name) : []),
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations),
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
  if (name === '') return [required('metadata.name', 'name or generateName is required')]
  if (freeNames.has(type.kind)) {
    return /[/%]/.test(name) || name === '.' || name === '..'
      ? [invalidValue('metadata.name', name, "may not contain '/'")]
      : []
  }
  if (labelNames.has(type.kind)) {
    const good = name.length <= 63 && !name.includes('.') && subdomain.test(name)
    return good ? [] : [invalidValue('metadata.name', name, labelMessage)]
  }
  const good = name.length <= 253 && subdomain.test(name)
  return good ? [] : [invalidValue('metadata.name', name, subdomainMessage)]
}

function validateLabels(labels: Record<string, string> | undefined): Cause[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    if (!isQualified(key)) return [invalidValue('metadata.labels', key, 'name part must be a valid qualified name')]
    const good = value.length <= 63 && labelValue.test(value)
    return good ? [] : [invalidValue('metadata.labels', value, labelValueMessage)]
  })
}

function validateAnnotations(annotations: Record<string, string> | undefined): Cause[] {
  let size = 0
  const causes = Object.entries(annotations ?? {}).flatMap(([key, value]) => {
    size += key.length + value.length
    const good = isQualified(key.toLowerCase())
    return good ? [] : [invalidValue('metadata.annotations', key, 'name part must be a valid qualified name')]
  })
  if (size <= 262_144) return causes
  const message = 'Too long: may not be more than 262144 bytes'
  return [...causes, { reason: 'FieldValueTooLong', message, field: 'metadata.annotations' }]
}

function validateDeletion(finalizers: readonly string[] | undefined, old: KubeObject): Cause[] {
  if (old.metadata.deletionTimestamp === undefined) return []
  const known = new Set(old.metadata.finalizers)
  const added = (finalizers ?? []).filter((finalizer) => !known.has(finalizer))
  if (added.length === 0) return []
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`
  return [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }]
}

function isQualified(key: string): boolean {
  const name = key.slice(key.indexOf('/') + 1)
  return qualifiedName.test(key) && name.length <= 63 && key.length - name.length <= 254
}

/** A cause for a value that is not allowed. */
export function invalidValue(field: string, value: unknown, why: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}`, field }
}

/** A cause for a value that is missing. */
export function required(field: string, why: string): Cause {
  return { reason: 'FieldValueRequired', message: why === '' ? 'Required value' : `Required value: ${why}`, field }
}

const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

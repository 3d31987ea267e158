/** A link from a dependent to its owner. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** Which fields one manager owns. */
export interface ManagedFieldsEntry {
  manager?: string
  operation?: 'Apply' | 'Update'
  apiVersion?: string
  time?: string
  fieldsType?: string
  fieldsV1?: Record<string, unknown>
  subresource?: string
}

// An alias and not an interface, so that it is assignable to the metadata of an untyped object, which has an index signature.
/** The metadata of an object or of a template; a template needs no name. */
export type ObjectMeta = {
  name?: string
  namespace?: string
  generateName?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: Time
  deletionTimestamp?: Time
  deletionGracePeriodSeconds?: number
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFieldsEntry[]
  selfLink?: string
}

/** The metadata of an object of the cluster. */
export type NamedObjectMeta = ObjectMeta & { name: string }

/** A point in time, RFC 3339: `2030-01-31T12:00:00Z`. */
export type Time = string

/** A point in time with microseconds: `2030-01-31T12:00:00.000000Z`. */
export type MicroTime = string

/** An amount such as `500m` or `2Gi`. The API server takes numbers too, and always answers with a string. */
export type Quantity = string | number

/** A port or an amount: a number, or a name or percentage. */
export type IntOrString = number | string

/** Bytes as base64, such as the values of a Secret. */
export type Base64 = string

/** Any JSON object. */
export type RawExtension = Record<string, unknown>

/** A whole object within another one. */
export type EmbeddedObject = {
  apiVersion: string
  kind: string
  metadata?: ObjectMeta
  [field: string]: unknown
}

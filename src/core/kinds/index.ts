/**
 * TypeScript types of the built-in Kubernetes kinds.
 *
 * @module
 */
import type { BuiltinKinds } from './generated/builtin-kinds.ts'

export type { BuiltinKinds }
export type * from './generated/index.ts'
export type {
  Base64,
  EmbeddedObject,
  IntOrString,
  ManagedFieldsEntry,
  MicroTime,
  NamedObjectMeta,
  ObjectMeta,
  OwnerReference,
  Quantity,
  RawExtension,
  Time,
} from './object-meta.ts'

/** The kinds that have a type, by `apiVersion/kind`; `lading types` adds custom ones with `declare module 'lading/kinds'`. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- others add members
export interface KubeKinds extends BuiltinKinds {}

import type { KubeObject } from '../../core/index.ts'
import type { Cause } from '../status-error.ts'

/** What the rules of a kind may ask of the sandbox. */
export interface RuleEnv {
  /** RFC 3339, to the second. */
  readonly now: string
  /** Finds any stored object, by storage collection (`group/resource`). */
  find(collection: string, namespace: string, name: string): KubeObject | undefined
  /** Every stored object of a collection. */
  all(collection: string, namespace?: string): KubeObject[]
}

/** What the API server does to the objects of one kind; each part is optional, none of it changes stored objects. */
export interface KindRules {
  /** Completes a decoded object in place, as the API's defaulting does. */
  readonly complete?: (object: KubeObject) => void
  /** Sets, in place, what only the server sets on create (`clusterIP`, `spec.finalizers`). */
  readonly prepareCreate?: (object: KubeObject, env: RuleEnv) => void
  /** The same on update, with the stored object at hand. */
  readonly prepareUpdate?: (object: KubeObject, old: KubeObject, env: RuleEnv) => void
  /** What a deletion does to an object that has to be cleaned up first; gives the object that is then marked. */
  readonly prepareDelete?: (object: KubeObject, env: RuleEnv) => KubeObject
  /** What is wrong with an object, also with the change from `old` to it. */
  readonly validate?: (object: KubeObject, old: KubeObject | undefined, env: RuleEnv) => Cause[]
  /** The object as the checks of its type see it, where controllers complete it first; what they found before stays allowed. */
  readonly asChecked?: (object: KubeObject) => KubeObject
  /** Whether `metadata.generation` is kept: it then grows with every change outside of metadata and status. */
  readonly generation?: boolean
  /** Fields of the metadata that a write to the status does not change. */
  readonly statusKeeps?: readonly string[]
  /** Whether the generation grows with a change of annotations too. */
  readonly countsAnnotations?: boolean
}

/** The metadata that a status leaves alone where it has no business with metadata at all, as that of a custom resource. */
export const allMetadata: readonly string[] = ['labels', 'annotations', 'finalizers', 'ownerReferences']

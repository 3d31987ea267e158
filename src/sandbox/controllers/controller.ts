import type { KubeObject } from '../../core/index.ts'
import type { Backend } from '../backend.ts'
import type { ObjectIndex } from './object-index.ts'

/** The object that a controller is to look at: of its own kind, by name. */
export interface Key {
  readonly namespace: string
  readonly name: string
  /** Where it is stored, for controllers that look after more than one kind. */
  readonly collection?: string
}

/** What a controller may do. */
export interface ControllerEnv {
  readonly backend: Backend
  readonly index: ObjectIndex
  /** Looks at the key again after a while, unless the sandbox stops first. */
  after(ms: number, key: Key): void
}

/** Which keys of a controller a change concerns; `gone` when the object was deleted. */
export type Watch = (
  object: KubeObject,
  previous: KubeObject | undefined,
  index: ObjectIndex,
  collection: string,
  gone: boolean,
) => readonly Key[]

/** One loop that makes objects come true. It is called after a change and must come to rest when there is nothing to do. */
export interface Controller {
  readonly name: string
  /** Which collections it watches (`*` is every one), and which of its keys a change there concerns. */
  readonly watches: Readonly<Record<string, Watch>>
  reconcile(key: Key, env: ControllerEnv): void
}

/** The key of an object itself. */
export function ownKey(object: KubeObject): readonly Key[] {
  return [{ namespace: object.metadata.namespace ?? '', name: object.metadata.name }]
}

/** The key of the object that controls this one, when it is of the kind. */
export function controllerKey(kind: string): Watch {
  return (object) =>
    (object.metadata.ownerReferences ?? [])
      .filter((owner) => owner.controller === true && owner.kind === kind)
      .map((owner) => ({ namespace: object.metadata.namespace ?? '', name: owner.name }))
}

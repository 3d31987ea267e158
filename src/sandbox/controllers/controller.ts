import type { KubeObject } from '../../core/index.ts'
import type { Backend } from '../backend.ts'

/** The object that a controller is to look at: of its own kind, by name. */
export interface Key {
  readonly namespace: string
  readonly name: string
}

/** What a controller may do. */
export interface ControllerEnv {
  readonly backend: Backend
  /** Looks at the key again after a while, unless the sandbox stops first. */
  after(ms: number, key: Key): void
}

/** One loop that makes objects come true. It is called after a change and must come to rest when there is nothing to do. */
export interface Controller {
  readonly name: string
  /** Which collections it watches, and which of its keys a change there concerns. */
  readonly watches: Readonly<Record<string, (object: KubeObject, previous: KubeObject | undefined) => readonly Key[]>>
  reconcile(key: Key, env: ControllerEnv): void
}

/** The key of an object itself. */
export function ownKey(object: KubeObject): readonly Key[] {
  return [{ namespace: object.metadata.namespace ?? '', name: object.metadata.name }]
}

/** The key of the object that controls this one, when it is of the kind. */
export function controllerKey(kind: string): (object: KubeObject) => readonly Key[] {
  return (object) =>
    (object.metadata.ownerReferences ?? [])
      .filter((owner) => owner.controller === true && owner.kind === kind)
      .map((owner) => ({ namespace: object.metadata.namespace ?? '', name: owner.name }))
}

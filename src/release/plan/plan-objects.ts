import { type KubeObject, maskSecret, objectId, refOf } from '../../core/index.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { Hook } from '../hooks/parse-hook.ts'
import type { PlanAction, PlannedHook } from '../plan.ts'

/** Adds to each object that a plan creates what it will be, so that whoever approves the plan can read it. */
export function withObjects(actions: readonly PlanAction[], desired: readonly DesiredObject[]): PlanAction[] {
  const byId = new Map(desired.map(({ id, object }) => [id, object]))
  return actions.map((action) => {
    const object = byId.get(objectId(action.ref))
    const isNew = action.action === 'create' || (action.action === 'later' && action.liveVersion === null)
    return isNew && object !== undefined ? { ...action, object: shownObject(object) } : action
  })
}

/** Adds to each hook of a plan the object that it creates. */
export function withHookObjects(planned: readonly PlannedHook[], hooks: readonly Hook[]): PlannedHook[] {
  const byId = new Map(hooks.map(({ object }) => [objectId(refOf(object)), object]))
  return planned.map((hook) => {
    const object = byId.get(objectId(hook.ref))
    return object === undefined ? hook : { ...hook, object: shownObject(object) }
  })
}

/** An object as a plan shows it. There is nothing to compare a Secret's values with, and a token of them would differ in each plan. */
function shownObject(object: KubeObject): KubeObject {
  return maskSecret(object, () => '***')
}

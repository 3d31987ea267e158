import { formatRef, LadingError, objectId } from '../../core/index.ts'
import type { FieldChange } from '../diff/diff-objects.ts'
import { isHome } from './home-namespace.ts'
import type { Plan, PlanAction, PlannedHook } from '../plan.ts'
import { canonicalJson } from './plan-hash.ts'

/** What of the comparison is known to differ. */
interface Tolerance {
  /** The namespace of the release was created just now, as the plan says. */
  readonly madeHome: boolean
}

/** Refuses a plan unless it says exactly what would be done now, naming what has moved or what the plan says otherwise. */
export function refuseDifferent(approved: Plan, current: Plan, tolerance: Tolerance): void {
  refuseOutdated(approved, current)
  const own = ({ ref }: PlanAction): boolean => !(tolerance.madeHome && isHome(ref, current.release))
  const before = approved.actions.filter(own)
  const now = new Map(current.actions.filter(own).map((action) => [objectId(action.ref), action]))
  refuseMoved(before, now)
  const difference = partsDifference(approved, current) ?? actionsDifference(before, now)
  if (difference === undefined) return
  const { name, namespace } = current.release
  const problem = `the plan does not say what would be done now: ${difference}`
  throw new LadingError('plan.mismatch', problem, { name, namespace, difference })
}

function refuseOutdated(approved: Plan, { objectsHash, previous }: Plan): void {
  if (approved.objectsHash !== objectsHash) {
    throw new LadingError('plan.stale', 'the plan is stale: the source renders other objects than when it was made')
  }
  if (approved.previous === previous) return
  const message = `the plan is stale: it was made on revision ${approved.previous}, the release is at ${previous}`
  throw new LadingError('plan.stale', message, { planned: approved.previous, current: previous })
}

function refuseMoved(before: readonly PlanAction[], now: ReadonlyMap<string, PlanAction>): void {
  const moved = before.filter((action) => {
    const current = now.get(objectId(action.ref))
    return current !== undefined && hasMoved(action, current)
  })
  if (moved.length === 0) return
  const names = moved.slice(0, 3).map(({ ref }) => formatRef(ref))
  const more = moved.length > names.length ? ` and ${moved.length - names.length} more` : ''
  const message = `the plan is stale: ${names.join(', ')}${more} changed since it was made`
  throw new LadingError('plan.stale', message, { moved: moved.map(({ ref }) => ref) })
}

/** A status that moved on gives another version, and the same fingerprint. */
function hasMoved(planned: PlanAction, current: PlanAction): boolean {
  if (planned.liveVersion === current.liveVersion) return planned.liveFingerprint !== current.liveFingerprint
  if (planned.liveVersion === null || current.liveVersion === null) return true
  return planned.liveFingerprint === undefined || planned.liveFingerprint !== current.liveFingerprint
}

/** Which part beside the actions differs. */
function partsDifference(approved: Plan, current: Plan): string | undefined {
  const parts: [name: string, of: (plan: Plan) => unknown][] = [
    ['operation', ({ operation }) => operation],
    ['release', ({ release }) => release],
    ['revision', ({ revision }) => revision],
    ['target', ({ target }) => target],
    ['source', ({ source }) => source],
    ['waves', ({ waves }) => waves],
    ['hooks', ({ hooks }) => (Array.isArray(hooks) ? hooks.map(hookParts) : hooks)],
  ]
  const other = parts.find(([, of]) => canonicalJson(of(approved)) !== canonicalJson(of(current)))
  return other === undefined ? undefined : `${other[0]} ${other[0].endsWith('s') ? 'differ' : 'differs'}`
}

function hookParts({ phase, ref, weight, object }: PlannedHook): unknown {
  return { phase, ref, weight, object }
}

function actionsDifference(before: readonly PlanAction[], now: ReadonlyMap<string, PlanAction>): string | undefined {
  const planned = new Set(before.map(({ ref }) => objectId(ref)))
  const unplanned = [...now].find(([id]) => !planned.has(id))?.[1]
  if (unplanned !== undefined) return `${formatRef(unplanned.ref)} ("${unplanned.action}") is not in the plan`
  if (before.length !== planned.size) return 'an object is in the plan twice'
  for (const action of before) {
    const current = now.get(objectId(action.ref))
    const difference =
      current === undefined ? ' is in the plan, and nothing would be done with it' : actionDifference(action, current)
    if (difference !== undefined) return `${formatRef(action.ref)}${difference}`
  }
  return undefined
}

function actionDifference(planned: PlanAction, current: PlanAction): string | undefined {
  // What could only be told later can be told by now, if it is still absent.
  const isTold = planned.action === 'later' && current.action === 'create'
  if (planned.action !== current.action && !isTold) {
    return ` is "${planned.action}" in the plan and would be "${current.action}"`
  }
  const path = changesDifference(planned.changes ?? [], current.changes ?? [])
  if (path !== undefined) return `: ${path} would change in another way`
  const part = actionParts.find((name) => canonicalJson(partOf(planned, name)) !== canonicalJson(partOf(current, name)))
  return part === undefined || (isTold && part === 'reason') ? undefined : `: ${part} differs`
}

const actionParts = ['ref', 'hash', 'object', 'conflicts', 'removesMarks', 'code', 'reason'] as const

function partOf(action: PlanAction, name: (typeof actionParts)[number]): unknown {
  // What stands in the way is told in the words of the server, with values of the moment.
  if (name === 'conflicts') return action.conflicts?.map(({ path, manager }) => ({ path, manager }))
  if (name === 'reason' && ['invalid', 'conflict', 'later'].includes(action.action)) return undefined
  return action[name]
}

/** The path of a change that one side has and the other has not, or has otherwise. */
function changesDifference(planned: readonly FieldChange[], current: readonly FieldChange[]): string | undefined {
  if (!Array.isArray(planned)) return 'changes'
  const shown = new Map(planned.map((change: FieldChange) => [change.path, change]))
  for (const change of current) {
    const same = shown.get(change.path)
    if (same === undefined || !isSameChange(same, change)) return change.path
    shown.delete(change.path)
  }
  return shown.keys().next().value ?? (planned.length === current.length ? undefined : 'a change')
}

function isSameChange(planned: FieldChange, current: FieldChange): boolean {
  // A port or an address that the server draws is another one each time that it is asked.
  const parts = ({ before, after }: FieldChange): unknown =>
    current.byServer === true ? { before } : { before, after }
  return canonicalJson(parts(planned)) === canonicalJson(parts(current))
}

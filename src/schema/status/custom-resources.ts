import { isRecord, type KubeObject } from '../../core/index.ts'
import { current, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, conditionsOf, explain, integerAt, recordsAt, textAt, valueAt } from './read-fields.ts'

/** What is known about an object from elsewhere. */
export interface StatusOptions {
  /** Its CRD promises that a controller writes conditions or an observed generation: see `crdPromisesStatus`. */
  readonly expectsStatus?: boolean
  /** For how long the object has been there without a status (default: 0). */
  readonly silentMs?: number
  /** How long a promised status is waited for; an object that nobody reports on counts as ready after it (default: 10 s). */
  readonly statusGraceMs?: number
}

/** How long the first status of a custom resource is waited for unless the caller says otherwise. */
export const defaultStatusGraceMs = 10_000

/** A kind without rules of its own: its `Ready` condition decides, and without one an object is what it is. */
export function customResourceStatus(object: KubeObject, options: StatusOptions): ObjectStatus {
  const ready = conditionOf(object, 'Ready')
  if (ready === undefined) return unreadyStatus(object, options)
  const generation = integerAt(object, 'metadata', 'generation')
  if (generation !== undefined && (ready.observedGeneration ?? generation) < generation) {
    return inProgress(
      'LatestGenerationNotObserved',
      `its Ready condition is about generation ${ready.observedGeneration}`,
    )
  }
  // A false Ready condition does not tell a doomed object from one that is busy; `Stalled` would.
  return ready.status === 'True' ? current(explain(ready)) : inProgress(ready.reason || 'NotReady', explain(ready))
}

/** Many CRDs promise conditions that no controller of the cluster writes, as Istio's do: those must not be waited for without end. */
function unreadyStatus(
  object: KubeObject,
  { expectsStatus = false, silentMs = 0, statusGraceMs = defaultStatusGraceMs }: StatusOptions,
): ObjectStatus {
  if (hasOnlyDefaults(object)) {
    return inProgress('NotReported', 'its conditions are Unknown: its controller has not reported on it yet')
  }
  if (!expectsStatus || !isUnwritten(object)) return current('object is stored and reports no condition against it')
  if (silentMs < statusGraceMs) return inProgress('NoStatus', 'its controller has not written a status yet')
  return current(`no controller has written a status in ${statusGraceMs / 1000} s: it counts as ready`)
}

/** For how many milliseconds nobody can have reported on an object: since it was created, or its spec last written to. */
export function silenceOf(object: KubeObject, now: number): number {
  const writes = recordsAt(object, 'metadata', 'managedFields').filter((entry) => textAt(entry, 'subresource') === '')
  const times = [textAt(object, 'metadata', 'creationTimestamp'), ...writes.map((entry) => textAt(entry, 'time'))]
  const last = Math.max(...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)))
  // The clock of the cluster may be ahead of ours.
  return Math.max(0, now - last)
}

/**
 * Whether a CRD promises a status: its version has the status subresource and the status' schema knows `conditions` or
 * `observedGeneration`. Many CRDs carry a status subresource that nobody ever writes; those promise nothing.
 */
export function crdPromisesStatus(crd: KubeObject, version: string): boolean {
  const served = recordsAt(crd, 'spec', 'versions').find((entry) => textAt(entry, 'name') === version)
  if (served === undefined || !isRecord(valueAt(served, 'subresources', 'status'))) return false
  return schemaPromisesStatus(valueAt(served, 'schema', 'openAPIV3Schema'))
}

/** The same, from the schema of an object as a CRD or an OpenAPI document spells it. */
export function schemaPromisesStatus(schema: unknown): boolean {
  const fields = valueAt(schema, 'properties', 'status', 'properties')
  return isRecord(fields) && (Object.hasOwn(fields, 'conditions') || Object.hasOwn(fields, 'observedGeneration'))
}

/** Whether a status shows no sign of a controller. */
function isUnwritten(object: KubeObject): boolean {
  const status = valueAt(object, 'status')
  return !isRecord(status) || (conditionsOf(object).length === 0 && hasNoFacts(status))
}

/** Whether a status holds only the `Unknown` conditions that a CRD's schema gives by default, as those of the Gateway API do. */
function hasOnlyDefaults(object: KubeObject): boolean {
  const status = valueAt(object, 'status')
  const conditions = conditionsOf(object)
  const unknown = conditions.length > 0 && conditions.every((condition) => condition.status === 'Unknown')
  return unknown && isRecord(status) && hasNoFacts(status)
}

function hasNoFacts(status: Record<string, unknown>): boolean {
  return Object.keys(status).every((key) => key === 'conditions' || (key === 'observedGeneration' && status[key] === 0))
}

import { isRecord, type KubeObject } from '../../core/index.ts'
import { current, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, conditionsOf, explain, integerAt, recordsAt, textAt, valueAt } from './read-fields.ts'

/** A kind without rules of its own: its `Ready` condition decides, and without one an object is what it is. */
export function customResourceStatus(object: KubeObject, expectsStatus: boolean): ObjectStatus {
  const ready = conditionOf(object, 'Ready')
  if (ready === undefined) {
    if (expectsStatus && isUnwritten(object)) {
      return inProgress('NoStatus', 'its controller has not written a status yet')
    }
    return current('object is stored and reports no condition against it')
  }
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

/** Whether a status shows no sign of a controller: empty, or only the `Unknown` conditions that a CRD's schema gives by default. */
function isUnwritten(object: KubeObject): boolean {
  const status = valueAt(object, 'status')
  if (!isRecord(status)) return true
  const conditions = conditionsOf(object)
  if (conditions.length > 0) return conditions.every((condition) => condition.status === 'Unknown')
  return Object.keys(status).every((key) => key === 'conditions' || (key === 'observedGeneration' && status[key] === 0))
}

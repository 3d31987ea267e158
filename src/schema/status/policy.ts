import type { KubeObject } from '../../core/index.ts'
import { current, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, explain, integerAt } from './read-fields.ts'

/** A PodDisruptionBudget: its controller has worked out how many pods may be disrupted. */
export function disruptionBudgetStatus(object: KubeObject): ObjectStatus {
  // The API server fills the counts with zeros, so only the observed generation tells that they were computed.
  if (integerAt(object, 'status', 'observedGeneration') === undefined) {
    return inProgress('NoObservedGeneration', 'allowed disruptions are not computed yet')
  }
  return current('allowed disruptions are computed')
}

/** A HorizontalPodAutoscaler: able to scale its target; missing metrics are no reason to hold a release back. */
export function autoscalerStatus(object: KubeObject): ObjectStatus {
  const able = conditionOf(object, 'AbleToScale')
  if (able?.status === 'False') return inProgress(able.reason || 'NotAbleToScale', explain(able))
  return current('autoscaler is in place')
}

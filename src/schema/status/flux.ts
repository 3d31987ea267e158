import { gvkOf, type KubeObject } from '../../core/index.ts'
import { current, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, valueAt } from './read-fields.ts'

// Alert and Provider of the notification controller are plain configuration: nobody ever writes their status.
const configuration = new Set(['Alert', 'Provider'])

/** What is special to Flux' kinds; everything else about them are the generic conditions, which Flux defines kstatus by. */
export function fluxStatus(object: KubeObject): ObjectStatus | undefined {
  const { group, kind } = gvkOf(object)
  if (!group.endsWith('.toolkit.fluxcd.io')) return undefined
  // A suspended object's controller does not even observe the generation: waiting for it would never end.
  if (valueAt(object, 'spec', 'suspend') === true) return current('reconciliation is suspended')
  if (configuration.has(kind) || conditionOf(object, 'Ready') !== undefined) return undefined
  if (conditionOf(object, 'Stalled') !== undefined || conditionOf(object, 'Reconciling') !== undefined) return undefined
  return inProgress('NotReconciled', 'Flux has not reconciled it yet')
}

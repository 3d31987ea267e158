import type { KubeObject } from '../../core/index.ts'
import { current, failed, inProgress, type ObjectStatus } from './object-status.ts'
import { conditionOf, explain, textAt } from './read-fields.ts'

/** A CustomResourceDefinition: its names accepted and its kind served. */
export function crdStatus(object: KubeObject): ObjectStatus {
  const names = conditionOf(object, 'NamesAccepted')
  if (names?.status === 'False') return failed(names.reason || 'NamesNotAccepted', explain(names))
  const established = conditionOf(object, 'Established')
  if (established?.status === 'True') return current('CustomResourceDefinition is established')
  // The API server writes `Installing` before it serves the kind; any other reason is final.
  if (established?.status === 'False' && established.reason !== 'Installing') {
    return failed(established.reason || 'NotEstablished', explain(established))
  }
  return inProgress('Installing', 'CustomResourceDefinition is not established yet')
}

/** An APIService: its backend answers. */
export function apiServiceStatus(object: KubeObject): ObjectStatus {
  const available = conditionOf(object, 'Available')
  if (available?.status === 'True') return current('API is available')
  const why = available === undefined ? 'the aggregator has not tried it yet' : explain(available)
  return inProgress(available?.reason || 'NotAvailable', why)
}

/** A Namespace: active. */
export function namespaceStatus(object: KubeObject): ObjectStatus {
  if (textAt(object, 'status', 'phase') === 'Terminating') {
    return { status: 'Terminating', reason: 'Deleted', message: 'namespace is being deleted' }
  }
  return current('namespace is active')
}

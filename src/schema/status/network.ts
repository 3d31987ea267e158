import type { KubeObject } from '../../core/index.ts'
import { current, inProgress, type ObjectStatus } from './object-status.ts'
import { recordsAt, textAt, valueAt } from './read-fields.ts'

/** A Service is ready at once, but for a LoadBalancer, which needs its address: kstatus only looks at the cluster IP. */
export function loadBalancerStatus(object: KubeObject): ObjectStatus {
  if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return current('Service is ready')
  const external = valueAt(object, 'spec', 'externalIPs')
  // Addresses that the user routes himself: no cloud will report another.
  if (Array.isArray(external) && external.length > 0) return current('Service has external addresses')
  const address = recordsAt(object, 'status', 'loadBalancer', 'ingress')
    .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
    .find((address) => address !== '')
  if (address === undefined) return inProgress('NoAddress', 'the load balancer has no address yet')
  return current(`Service is reachable at ${address}`)
}

import type { KubeObject } from '../../core/index.ts'
import { current, failed, inProgress, type ObjectStatus } from './object-status.ts'
import { textAt } from './read-fields.ts'

/** A PersistentVolumeClaim: bound. */
export function volumeClaimStatus(object: KubeObject): ObjectStatus {
  const phase = textAt(object, 'status', 'phase')
  if (phase === 'Bound') return current('claim is bound')
  if (phase === 'Lost') return failed('Lost', 'the volume of the claim is gone')
  return inProgress('NotBound', 'claim is not bound to a volume yet')
}

/** A PersistentVolume: usable, used, or used up. */
export function persistentVolumeStatus(object: KubeObject): ObjectStatus {
  const phase = textAt(object, 'status', 'phase')
  if (phase === 'Failed') {
    return failed('Failed', textAt(object, 'status', 'message') || 'the volume could not be reclaimed')
  }
  if (phase === '' || phase === 'Pending') return inProgress('Pending', 'volume is not available yet')
  return current(`volume is ${phase.toLowerCase()}`)
}

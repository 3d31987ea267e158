// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { MicroTime, NamedObjectMeta } from '../object-meta.ts'

/** The kind `Lease` of `coordination.k8s.io/v1`. */
export type Lease = {
  apiVersion: 'coordination.k8s.io/v1'
  kind: 'Lease'
  metadata: NamedObjectMeta
  spec?: LeaseSpec
}

/** `LeaseSpec` of `coordination/v1`. */
export type LeaseSpec = {
  acquireTime?: MicroTime
  holderIdentity?: string
  leaseDurationSeconds?: number
  leaseTransitions?: number
  preferredHolder?: string
  renewTime?: MicroTime
  strategy?: string
}

// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta } from '../object-meta.ts'

/** The cluster-scoped kind `PriorityClass` of `scheduling.k8s.io/v1`. */
export type PriorityClass = {
  apiVersion: 'scheduling.k8s.io/v1'
  kind: 'PriorityClass'
  metadata: NamedObjectMeta
  description?: string
  globalDefault?: boolean
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
  value: number
}

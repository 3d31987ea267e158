// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { IntOrString, NamedObjectMeta, Time } from '../object-meta.ts'
import type { Condition, DeleteOptions, LabelSelector } from './meta-v1.ts'

/** The kind `Eviction` of `policy/v1`. */
export type Eviction = {
  apiVersion: 'policy/v1'
  kind: 'Eviction'
  metadata: NamedObjectMeta
  deleteOptions?: DeleteOptions
}

/** The kind `PodDisruptionBudget` of `policy/v1`. */
export type PodDisruptionBudget = {
  apiVersion: 'policy/v1'
  kind: 'PodDisruptionBudget'
  metadata: NamedObjectMeta
  spec?: PodDisruptionBudgetSpec
  status?: PodDisruptionBudgetStatus
}

/** `PodDisruptionBudgetSpec` of `policy/v1`. */
export type PodDisruptionBudgetSpec = {
  maxUnavailable?: IntOrString
  minAvailable?: IntOrString
  selector?: LabelSelector
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget'
}

/** `PodDisruptionBudgetStatus` of `policy/v1`. */
export type PodDisruptionBudgetStatus = {
  conditions?: Condition[]
  currentHealthy: number
  desiredHealthy: number
  disruptedPods?: Record<string, Time>
  disruptionsAllowed: number
  expectedPods: number
  observedGeneration?: number
}

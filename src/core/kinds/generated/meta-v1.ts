// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { Time } from '../object-meta.ts'

/** `Condition` of `meta/v1`. */
export type Condition = {
  lastTransitionTime: Time
  message: string
  observedGeneration?: number
  reason: string
  status: string
  type: string
}

/** `DeleteOptions` of `meta/v1`. */
export type DeleteOptions = {
  apiVersion?: string
  dryRun?: string[]
  gracePeriodSeconds?: number
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
  kind?: string
  orphanDependents?: boolean
  preconditions?: Preconditions
  propagationPolicy?: string
}

/** `FieldSelectorRequirement` of `meta/v1`. */
export type FieldSelectorRequirement = {
  key: string
  operator: string
  values?: string[]
}

/** `LabelSelector` of `meta/v1`. */
export type LabelSelector = {
  matchExpressions?: LabelSelectorRequirement[]
  matchLabels?: Record<string, string>
}

/** `LabelSelectorRequirement` of `meta/v1`. */
export type LabelSelectorRequirement = {
  key: string
  operator: string
  values?: string[]
}

/** `Preconditions` of `meta/v1`. */
export type Preconditions = {
  resourceVersion?: string
  uid?: string
}

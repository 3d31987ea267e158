// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, Quantity, Time } from '../object-meta.ts'
import type { LabelSelector } from './meta-v1.ts'

/** `ContainerResourceMetricSource` of `autoscaling/v2`. */
export type ContainerResourceMetricSource = {
  container: string
  name: string
  target: MetricTarget
}

/** `ContainerResourceMetricStatus` of `autoscaling/v2`. */
export type ContainerResourceMetricStatus = {
  container: string
  current: MetricValueStatus
  name: string
}

/** `CrossVersionObjectReference` of `autoscaling/v2`. */
export type CrossVersionObjectReference = {
  apiVersion?: string
  kind: string
  name: string
}

/** `ExternalMetricSource` of `autoscaling/v2`. */
export type ExternalMetricSource = {
  metric: MetricIdentifier
  target: MetricTarget
}

/** `ExternalMetricStatus` of `autoscaling/v2`. */
export type ExternalMetricStatus = {
  current: MetricValueStatus
  metric: MetricIdentifier
}

/** `HPAScalingPolicy` of `autoscaling/v2`. */
export type HPAScalingPolicy = {
  periodSeconds: number
  type: string
  value: number
}

/** `HPAScalingRules` of `autoscaling/v2`. */
export type HPAScalingRules = {
  policies?: HPAScalingPolicy[]
  selectPolicy?: string
  stabilizationWindowSeconds?: number
  tolerance?: Quantity
}

/** The kind `HorizontalPodAutoscaler` of `autoscaling/v2`. */
export type HorizontalPodAutoscaler = {
  apiVersion: 'autoscaling/v2'
  kind: 'HorizontalPodAutoscaler'
  metadata: NamedObjectMeta
  spec?: HorizontalPodAutoscalerSpec
  status?: HorizontalPodAutoscalerStatus
}

/** `HorizontalPodAutoscalerBehavior` of `autoscaling/v2`. */
export type HorizontalPodAutoscalerBehavior = {
  scaleDown?: HPAScalingRules
  scaleUp?: HPAScalingRules
}

/** `HorizontalPodAutoscalerCondition` of `autoscaling/v2`. */
export type HorizontalPodAutoscalerCondition = {
  lastTransitionTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `HorizontalPodAutoscalerSpec` of `autoscaling/v2`. */
export type HorizontalPodAutoscalerSpec = {
  behavior?: HorizontalPodAutoscalerBehavior
  maxReplicas: number
  metrics?: MetricSpec[]
  minReplicas?: number
  scaleTargetRef: CrossVersionObjectReference
}

/** `HorizontalPodAutoscalerStatus` of `autoscaling/v2`. */
export type HorizontalPodAutoscalerStatus = {
  conditions?: HorizontalPodAutoscalerCondition[]
  currentMetrics?: MetricStatus[]
  currentReplicas?: number
  desiredReplicas: number
  lastScaleTime?: Time
  observedGeneration?: number
}

/** `MetricIdentifier` of `autoscaling/v2`. */
export type MetricIdentifier = {
  name: string
  selector?: LabelSelector
}

/** `MetricSpec` of `autoscaling/v2`. */
export type MetricSpec = {
  containerResource?: ContainerResourceMetricSource
  external?: ExternalMetricSource
  object?: ObjectMetricSource
  pods?: PodsMetricSource
  resource?: ResourceMetricSource
  type: string
}

/** `MetricStatus` of `autoscaling/v2`. */
export type MetricStatus = {
  containerResource?: ContainerResourceMetricStatus
  external?: ExternalMetricStatus
  object?: ObjectMetricStatus
  pods?: PodsMetricStatus
  resource?: ResourceMetricStatus
  type: string
}

/** `MetricTarget` of `autoscaling/v2`. */
export type MetricTarget = {
  averageUtilization?: number
  averageValue?: Quantity
  type: string
  value?: Quantity
}

/** `MetricValueStatus` of `autoscaling/v2`. */
export type MetricValueStatus = {
  averageUtilization?: number
  averageValue?: Quantity
  value?: Quantity
}

/** `ObjectMetricSource` of `autoscaling/v2`. */
export type ObjectMetricSource = {
  describedObject: CrossVersionObjectReference
  metric: MetricIdentifier
  target: MetricTarget
}

/** `ObjectMetricStatus` of `autoscaling/v2`. */
export type ObjectMetricStatus = {
  current: MetricValueStatus
  describedObject: CrossVersionObjectReference
  metric: MetricIdentifier
}

/** `PodsMetricSource` of `autoscaling/v2`. */
export type PodsMetricSource = {
  metric: MetricIdentifier
  target: MetricTarget
}

/** `PodsMetricStatus` of `autoscaling/v2`. */
export type PodsMetricStatus = {
  current: MetricValueStatus
  metric: MetricIdentifier
}

/** `ResourceMetricSource` of `autoscaling/v2`. */
export type ResourceMetricSource = {
  name: string
  target: MetricTarget
}

/** `ResourceMetricStatus` of `autoscaling/v2`. */
export type ResourceMetricStatus = {
  current: MetricValueStatus
  name: string
}

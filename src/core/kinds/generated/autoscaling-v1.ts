// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, Time } from '../object-meta.ts'

/** `CrossVersionObjectReference` of `autoscaling/v1`. */
export type AutoscalingV1CrossVersionObjectReference = {
  apiVersion?: string
  kind: string
  name: string
}

/** The kind `HorizontalPodAutoscaler` of `autoscaling/v1`. */
export type AutoscalingV1HorizontalPodAutoscaler = {
  apiVersion: 'autoscaling/v1'
  kind: 'HorizontalPodAutoscaler'
  metadata: NamedObjectMeta
  spec?: AutoscalingV1HorizontalPodAutoscalerSpec
  status?: AutoscalingV1HorizontalPodAutoscalerStatus
}

/** `HorizontalPodAutoscalerSpec` of `autoscaling/v1`. */
export type AutoscalingV1HorizontalPodAutoscalerSpec = {
  maxReplicas: number
  minReplicas?: number
  scaleTargetRef: AutoscalingV1CrossVersionObjectReference
  targetCPUUtilizationPercentage?: number
}

/** `HorizontalPodAutoscalerStatus` of `autoscaling/v1`. */
export type AutoscalingV1HorizontalPodAutoscalerStatus = {
  currentCPUUtilizationPercentage?: number
  currentReplicas: number
  desiredReplicas: number
  lastScaleTime?: Time
  observedGeneration?: number
}

/** The kind `Scale` of `autoscaling/v1`. */
export type Scale = {
  apiVersion: 'autoscaling/v1'
  kind: 'Scale'
  metadata: NamedObjectMeta
  spec?: ScaleSpec
  status?: ScaleStatus
}

/** `ScaleSpec` of `autoscaling/v1`. */
export type ScaleSpec = {
  replicas?: number
}

/** `ScaleStatus` of `autoscaling/v1`. */
export type ScaleStatus = {
  replicas: number
  selector?: string
}

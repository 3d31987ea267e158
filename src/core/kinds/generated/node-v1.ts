// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta, Quantity } from '../object-meta.ts'
import type { Toleration } from './core-v1.ts'

/** `Overhead` of `node/v1`. */
export type Overhead = {
  podFixed?: Record<string, Quantity>
}

/** The cluster-scoped kind `RuntimeClass` of `node.k8s.io/v1`. */
export type RuntimeClass = {
  apiVersion: 'node.k8s.io/v1'
  kind: 'RuntimeClass'
  metadata: NamedObjectMeta
  handler: string
  overhead?: Overhead
  scheduling?: Scheduling
}

/** `Scheduling` of `node/v1`. */
export type Scheduling = {
  nodeSelector?: Record<string, string>
  tolerations?: Toleration[]
}

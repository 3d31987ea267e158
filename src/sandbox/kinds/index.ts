import type { GroupVersionKind } from '../../core/index.ts'
import { crdRules } from '../crd/crd-rules.ts'
import type { KindRules } from './kind-rules.ts'

const noRules: KindRules = {}

/** How the objects of a built-in kind behave. */
export function builtinRules(gvk: GroupVersionKind): KindRules {
  return rules.get(`${gvk.group}/${gvk.kind}`) ?? noRules
}

const rules: ReadonlyMap<string, KindRules> = new Map([['apiextensions.k8s.io/CustomResourceDefinition', crdRules]])

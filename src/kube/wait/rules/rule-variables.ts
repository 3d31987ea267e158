import { gvkOf, type KubeObject } from '../../../core/index.ts'
import { builtinSchema } from '../../../schema/index.ts'

const ofEveryKind = ['self', 'apiVersion', 'kind', 'metadata']
// What is usual in kinds whose schema is not known here.
const usual = ['spec', 'status', 'data']

/** The variables that an object's own expressions may name: the top-level fields of its kind, those that it has itself, and `self`. */
export function ruleVariables(object: KubeObject): string[] {
  const type = builtinSchema().type(gvkOf(object))
  const known = type === undefined ? usual : type.fieldNames
  return [...new Set([...ofEveryKind, ...known, ...Object.keys(object)])]
}

import { isClusterScoped } from '../../resource/cluster-scope.ts'
import { type Gvk, isSelectedBy } from '../../resource/gvk.ts'
import { effectiveNamespace } from '../../resource/res-id.ts'
import type { Resource } from '../../resource/resource.ts'
import { isMap, textOf } from '../../yaml/value.ts'

/** Of the resources that had the referred name, those that the referrer can mean: at best one. */
export function selectReferral(
  candidates: readonly Resource[],
  referrer: Resource,
  target: Gvk,
  path: string,
): readonly Resource[] {
  const roleRef = path.endsWith('roleRef/name') ? roleRefOf(referrer) : undefined
  let left = candidates.filter(
    (each) =>
      wasOfKind(each, target) && (roleRef === undefined || wasOfKind(each, roleRef)) && isInReach(each, referrer),
  )
  if (left.length === 1) return left
  left = left.filter((each) => sameAffixes(each, referrer, true))
  return left.length > 1 ? left.filter((each) => sameAffixes(each, referrer, false)) : left
}

function wasOfKind(resource: Resource, gvk: Gvk): boolean {
  const { group, version } = resource.gvk
  return resource.previousKinds.some((kind) => isSelectedBy({ group, version, kind }, gvk))
}

function roleRefOf(referrer: Resource): Gvk | undefined {
  const { roleRef } = referrer.node
  if (!isMap(roleRef) || roleRef['apiGroup'] === undefined || roleRef['kind'] === undefined) return undefined
  return { group: textOf(roleRef['apiGroup']), version: '', kind: textOf(roleRef['kind']) }
}

function isInReach(resource: Resource, referrer: Resource): boolean {
  if (isClusterScoped(referrer.gvk) || isClusterScoped(resource.gvk) || resource.kind === 'ServiceAccount') return true
  return effectiveNamespace(resource.currentId()) === effectiveNamespace(referrer.currentId())
}

function sameAffixes(a: Resource, b: Resource, allowNone: boolean): boolean {
  const same = (one: readonly string[], other: readonly string[]) =>
    (allowNone && (one.length === 0 || other.length === 0)) || sameEnding(one, other)
  return same(a.namePrefixes, b.namePrefixes) && same(a.nameSuffixes, b.nameSuffixes)
}

/** Whether the shorter of two lists is the end of the longer; an empty one is only like another empty one. */
function sameEnding(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length === 0) return long.length === 0
  return short.every((each, index) => each === long[index + long.length - short.length])
}

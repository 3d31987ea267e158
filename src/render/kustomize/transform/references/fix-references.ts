import { LadingError } from '../../../../core/index.ts'
import { PathProblem, type Slot, walkPath } from '../../config/apply-field-spec.ts'
import type { FieldSpec } from '../../config/field-spec.ts'
import type { NameReference } from '../../config/transformer-config.ts'
import { type Gvk, isSelectedBy } from '../../resource/gvk.ts'
import { formatId } from '../../resource/res-id.ts'
import type { ResMap } from '../../resource/res-map.ts'
import type { Resource } from '../../resource/resource.ts'
import { assign, isMap, isNull, textOf, type Value, type ValueMap } from '../../yaml/value.ts'
import { type Candidates, findCandidates } from './referral-candidates.ts'
import { selectReferral } from './select-referral.ts'

interface Reference {
  readonly target: Gvk
  readonly spec: FieldSpec
}

/** Changes every reference to a resource whose name changed. */
export function fixReferences(resources: ResMap, config: readonly NameReference[]): void {
  const byKind = new Map<string, Reference[]>()
  const candidates = findCandidates(resources.resources)
  for (const referrer of resources.resources) {
    const { gvk } = referrer.originalId()
    const key = `${gvk.kind}\0${gvk.group}\0${gvk.version}`
    let references = byKind.get(key)
    if (references === undefined) byKind.set(key, (references = referencesOf(gvk, config)))
    for (const reference of references) fixReference(referrer, reference, candidates)
    candidates.forget(referrer)
  }
}

function referencesOf(gvk: Gvk, config: readonly NameReference[]): Reference[] {
  return config.flatMap(({ fieldSpecs, ...target }) =>
    fieldSpecs.filter((spec) => isSelectedBy(gvk, spec)).map((spec) => ({ target, spec })),
  )
}

function fixReference(referrer: Resource, reference: Reference, candidates: Candidates): void {
  const { spec } = reference
  walkPath(referrer, { path: spec.path, create: false }, undefined, (slot) => {
    const value = slot.get()
    if (isNull(value)) return
    if (isMap(value)) fixMap(value, referrer, reference, candidates)
    else if (Array.isArray(value)) fixItems(value, referrer, reference, candidates)
    else fixScalar(slot, referrer, reference, candidates)
  })
}

function fixItems(items: Value[], referrer: Resource, reference: Reference, candidates: Candidates): void {
  for (const [index, item] of items.entries()) {
    if (isNull(item)) continue
    if (Array.isArray(item)) throw new PathProblem('an item is expected to be either a string or a map of string')
    if (isMap(item)) fixMap(item, referrer, reference, candidates)
    else {
      const slot: Slot = { get: () => items[index]!, set: (value) => assign(items, index, value) }
      fixScalar(slot, referrer, reference, candidates)
    }
  }
}

function fixScalar(slot: Slot, referrer: Resource, reference: Reference, candidates: Candidates): void {
  const oldName = textOf(slot.get())
  const found = candidates.of(referrer, oldName)
  const referral = select(found, referrer, reference, (a, b) => a.name === b.name)
  if (referral !== undefined && referral.name !== oldName) slot.set(referral.name)
}

function fixMap(map: ValueMap, referrer: Resource, reference: Reference, candidates: Candidates): void {
  const name = map['name']
  if (name === undefined) throw new PathProblem("path config error; no 'name' field in node")
  const oldName = textOf(name)
  const namespace = map['namespace']
  const found =
    namespace === undefined
      ? candidates.of(referrer, oldName)
      : candidates.inNamespace(referrer, oldName, textOf(namespace))
  const same = (a: Resource, b: Resource) => a.name === b.name && a.namespace === b.namespace
  const referral = select(found, referrer, reference, same)
  if (referral === undefined || (referral.name === oldName && referral.namespace === '')) return
  assign(map, 'name', referral.name)
  if (referral.namespace !== '') assign(map, 'namespace', referral.namespace)
}

function select(
  candidates: readonly Resource[],
  referrer: Resource,
  { target, spec }: Reference,
  same: (a: Resource, b: Resource) => boolean,
): Resource | undefined {
  const left = selectReferral(candidates, referrer, target, spec.path)
  const [first] = left
  if (first === undefined || left.every((each) => same(each, first))) return first
  const ids = left.map((each) => formatId(each.currentId())).join(', ')
  const problem = `found multiple possible referrals from ${spec.path} of ${formatId(referrer.currentId())}: ${ids}`
  throw new LadingError('kustomize.invalid', problem, { field: spec.path, object: formatId(referrer.currentId()) })
}

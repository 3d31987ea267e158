import { LadingError } from '../../../core/index.ts'
import { assign, compareText, isMap, isNull, textOf, Untagged, type Value, type ValueMap } from '../yaml/value.ts'
import { takeDirective } from './directive.ts'
import { mergeLists } from './merge-list.ts'
import type { MergeSchema, SchemaLookup } from './merge-schema.ts'

/** The value stays as it is, though it is null. */
const kept = Symbol('kept')

/** A merged value; undefined removes the field. */
type Merged = Value | undefined | typeof kept

/** Merges a value and a patch of the given type; both may change. */
export type Merge = (target: Value | undefined, patch: Value | undefined, schema: MergeSchema | undefined) => Merged

/**
 * Applies a strategic merge patch as kustomize does, which is not quite the API server's way: new list items come first and
 * matched ones take the patch's order, and neither `$setElementOrder` nor `$retainKeys` is known. Both arguments may change;
 * undefined means that the patch deletes the object.
 */
export function mergeStrategic(target: ValueMap, patch: ValueMap, lookup: SchemaLookup): ValueMap | undefined {
  const merge: Merge = (a, b, schema) => mergeValue(a, b, schema ?? typeOf(a, lookup) ?? typeOf(b, lookup), merge)
  const merged = merge(target, patch, undefined)
  if (!isMap(merged)) return undefined
  // `$patch: replace` for a whole object changes nothing: kustomize drops what the merge gives back and keeps the target.
  return target
}

function typeOf(value: Value | undefined, lookup: SchemaLookup): MergeSchema | undefined {
  if (!isMap(value)) return undefined
  const apiVersion = textOf(value['apiVersion'])
  const kind = textOf(value['kind'])
  return apiVersion === '' || kind === '' ? undefined : lookup(apiVersion, kind)
}

function mergeValue(
  target: Value | undefined,
  patch: Value | undefined,
  schema: MergeSchema | undefined,
  merge: Merge,
): Merged {
  const first = isAbsent(target) ? (isAbsent(patch) ? undefined : patch) : target
  if (first === undefined || isMap(first)) {
    if (first !== undefined) demand(isMap, 'a map', target, patch)
    return mergeMaps(target, patch, schema, merge)
  }
  if (Array.isArray(first)) {
    demand(Array.isArray, 'a list', target, patch)
    if (schema?.mergeKeys === undefined) return patch === undefined ? target : patch
    return mergeLists(target as Value[] | null | undefined, patch as Value[] | null | undefined, schema, merge)
  }
  demand((value) => !isMap(value) && !Array.isArray(value), 'a scalar', target, patch)
  return patch === undefined ? target : patch
}

function mergeMaps(
  target: Value | undefined,
  patch: Value | undefined,
  schema: MergeSchema | undefined,
  merge: Merge,
): Merged {
  const into = baseMap(target, patch)
  if (!isMap(into)) return into
  const names = new Set([...Object.keys(into), ...(isMap(patch) ? Object.keys(patch) : [])])
  for (const name of [...names].sort(compareText)) {
    // A merge sets every field anew, and text without a type is a string from then on.
    const old = into[name]
    if (old instanceof Untagged && old.text !== '') into[name] = old.text
    const merged = merge(into[name], isMap(patch) ? patch[name] : undefined, schema?.field(name))
    if (merged === kept) continue
    if (merged === undefined || isNull(merged)) delete into[name]
    else assign(into, name, merged)
  }
  return into
}

/** The map that takes the fields of the patch: the target, or the patch itself where it is new or replaces. */
function baseMap(target: Value | undefined, patch: Value | undefined): Merged {
  if (isAbsent(target)) {
    if (isMap(patch) && takeDirective(patch) === 'delete') return undefined
    // `field: null` stays; `field:` with nothing behind it is dropped by the first patch that comes along.
    return patch === undefined && target !== undefined && textOf(target) !== '' ? kept : patch
  }
  if (patch !== undefined && isNull(patch)) return undefined
  const directive = takeDirective(patch)
  if (directive === 'delete') return undefined
  return directive === 'replace' ? patch : target
}

function isAbsent(value: Value | undefined): value is undefined {
  return value === undefined || isNull(value)
}

function demand(fits: (value: Value) => boolean, what: string, ...values: (Value | undefined)[]): void {
  for (const value of values) {
    if (isAbsent(value) || fits(value)) continue
    throw new LadingError('patch.invalid', `patch and target disagree: one has ${what}, the other has not`)
  }
}

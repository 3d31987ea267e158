import { LadingError } from '../../../core/index.ts'
import type { Resource } from '../resource/resource.ts'
import { formatId } from '../resource/res-id.ts'
import { resolvePlain } from '../yaml/resolve-plain.ts'
import { assign, isMap, isNull, newMap, Spelled, type Value, type ValueMap } from '../yaml/value.ts'
import { type FieldSpec, splitPath } from './field-spec.ts'

/** A place that holds a value and can be given another. */
export interface Slot {
  get(): Value
  set(value: Value): void
}

/** What is made at the end of a path that does not exist yet. */
type Create = 'map' | 'scalar' | undefined

/**
 * Calls `visit` with every place that a field specification names in a resource; lists on the way are entered. With `create`
 * and a specification that asks for it, what is missing is made.
 */
export function applyFieldSpec(resource: Resource, spec: FieldSpec, create: Create, visit: (slot: Slot) => void): void {
  const { gvk } = resource
  if (spec.kind !== '' && spec.kind !== gvk.kind) return
  if (spec.group !== '' && spec.group !== gvk.group) return
  if (spec.version !== '' && spec.version !== gvk.version) return
  walkPath(resource, spec, create, visit)
}

/** Like `applyFieldSpec`, whatever the resource's kind. */
export function walkPath(
  resource: Resource,
  spec: Pick<FieldSpec, 'path' | 'create'>,
  create: Create,
  visit: (slot: Slot) => void,
): void {
  try {
    const slot: Slot = { get: () => resource.node, set: (value) => (resource.node = value as ValueMap) }
    walk(slot, splitPath(spec.path), spec.create ? create : undefined, visit)
  } catch (error) {
    if (!(error instanceof PathProblem)) throw error
    const id = formatId(resource.currentId())
    const problem = `considering field '${spec.path}' of object ${id}: ${error.message}`
    throw new LadingError('kustomize.invalid', problem, { field: spec.path, object: id })
  }
}

/** Why a place cannot be reached or set; the caller says which one it was. */
export class PathProblem extends Error {}

function walk(slot: Slot, path: readonly string[], create: Create, visit: (slot: Slot) => void): void {
  const [step, ...rest] = path
  if (step === undefined) return visit(slot)
  const value = slot.get()
  if (isNull(value)) return
  if (Array.isArray(value)) {
    for (const index of value.keys()) walk(slotOf(value, index), path, create, visit)
  } else if (isMap(value)) walkField(value, step, rest, create, visit)
  else throw new PathProblem('expected sequence or mapping node')
}

function walkField(
  map: ValueMap,
  step: string,
  rest: readonly string[],
  create: Create,
  visit: (slot: Slot) => void,
): void {
  const isList = step.endsWith('[]')
  const name = isList ? step.slice(0, -2) : step
  if (name === '') throw new PathProblem('cannot set or create an empty field name')
  const made = create === undefined || isList ? undefined : rest.length === 0 ? create : 'map'
  const field = map[name]
  if (field === undefined) {
    if (made === undefined) return
    map[name] = made === 'map' ? newMap() : ''
  } else if (isNull(field)) {
    if (isList) map[name] = []
    else if (made !== undefined) map[name] = made === 'map' ? newMap() : ''
  }
  walk(slotOf(map, name), rest, create, visit)
}

function slotOf(container: ValueMap | Value[], key: string | number): Slot {
  const holder = container as Record<string | number, Value>
  return { get: () => holder[key]!, set: (value) => assign(container, key, value) }
}

/** Sets one entry of the map in a place; the entries that one such setter creates are one and the same. */
export function setEntry(key: string, text: string): (slot: Slot) => void {
  const shared = new Spelled(text, text)
  return (slot) => {
    const map = slot.get()
    if (isNull(map)) return
    if (!isMap(map)) throw new PathProblem('wrong node kind: expected a map')
    // Kustomize writes a new key without quotes, and fails where that makes it a number or a boolean.
    if (!Object.hasOwn(map, key) && resolvePlain(key) !== key)
      throw new PathProblem(`the key ${key} is no string to YAML`)
    assign(map, key, Object.hasOwn(map, key) ? text : shared)
  }
}

/** Sets the scalar in a place. */
export function setScalar(slot: Slot, value: Value): void {
  const old = slot.get()
  if (isMap(old) || Array.isArray(old)) throw new PathProblem('wrong node kind: expected a scalar')
  slot.set(value)
}

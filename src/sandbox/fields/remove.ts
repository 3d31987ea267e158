import { isRecord } from '../../core/index.ts'
import { setOwn } from '../clone.ts'
import type { FieldSet } from './field-set.ts'
import { childOf, newSet } from './field-set.ts'
import { fittingShape, itemStep, type ListShape, type MapShape, type Shape } from './shape.ts'

/** The value without the fields and items that the set names; what nothing is left of becomes null, as in the API server. */
export function removeFields(shape: Shape, value: unknown, remove: FieldSet): unknown {
  const fitting = fittingShape(shape, value)
  if (fitting.kind === 'leaf') return value
  if (fitting.kind === 'map') return removeFromMap(fitting, value as Record<string, unknown>, remove)
  return removeFromList(fitting, value as unknown[], remove)
}

function removeFromMap(shape: MapShape, value: Record<string, unknown>, remove: FieldSet): unknown {
  const result: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    const step = `f:${key}`
    if (remove.members.has(step)) continue
    const below = remove.children.get(step)
    setOwn(result, key, below === undefined ? field : removeFields(shape.field(key), field, below))
  }
  return isEmptyContainer(result) ? null : result
}

function removeFromList(shape: ListShape, items: readonly unknown[], remove: FieldSet): unknown {
  const result: unknown[] = []
  for (const item of items) {
    const step = itemStep(shape, item)
    if (step !== undefined && remove.members.has(step)) continue
    const below = step === undefined ? undefined : remove.children.get(step)
    result.push(below === undefined ? item : removeFields(shape.item, item, below))
  }
  return isEmptyContainer(result) ? null : result
}

/**
 * The set with every declared struct field that has paths below it as a path of its own. Removal works on whole fields,
 * so a struct that only came into being through its fields has to be named itself.
 */
export function withStructFields(shape: Shape, set: FieldSet): FieldSet {
  const result = newSet()
  for (const step of set.members) result.members.add(step)
  for (const [step, child] of set.children) {
    if (shape.kind === 'map' && step.startsWith('f:') && shape.declares(step.slice(2))) result.members.add(step)
    const below = withStructFields(shapeBelow(shape, step), child)
    const target = childOf(result, step)
    for (const member of below.members) target.members.add(member)
    for (const [name, grandchild] of below.children) target.children.set(name, grandchild as typeof target)
  }
  return result
}

/** The shape below one step of a path. */
function shapeBelow(shape: Shape, step: string): Shape {
  if (shape.kind === 'map' && step.startsWith('f:')) return shape.field(step.slice(2))
  if (shape.kind === 'list') return shape.item
  return { kind: 'leaf' }
}

/** Whether a value holds nothing. */
export function isEmptyContainer(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

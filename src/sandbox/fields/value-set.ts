import { isRecord } from '../../core/index.ts'
import { childOf, type FieldSet, type FieldSetBuilder, newSet, trim } from './field-set.ts'
import { fittingShape, itemStep, type ListShape, type MapShape, type Shape } from './shape.ts'

/** The paths that a value has: its leaves, the items of its keyed lists, the entries of its maps. */
export function setOfValue(shape: Shape, value: unknown): FieldSet {
  const set = newSet()
  const fitting = fittingShape(shape, value)
  if (fitting.kind === 'map') insertFields(set, fitting, value as Record<string, unknown>)
  else if (fitting.kind === 'list') insertItems(set, fitting, value as unknown[])
  return set
}

function insertFields(set: FieldSetBuilder, shape: MapShape, value: Record<string, unknown>): void {
  for (const [key, field] of Object.entries(value)) {
    const step = `f:${key}`
    const below = insertValue(set, step, shape.field(key), field)
    const isEmptyMap = isRecord(field) && Object.keys(field).length === 0
    if (!below || isEmptyMap || !shape.declares(key)) set.members.add(step)
  }
}

function insertItems(set: FieldSetBuilder, shape: ListShape, items: readonly unknown[]): void {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const item of items) {
    const step = itemStep(shape, item)
    if (step === undefined) continue
    if (seen.has(step)) repeated.add(step)
    seen.add(step)
    set.members.add(step)
  }
  for (const item of items) {
    const step = itemStep(shape, item)
    // Items that share a key can only be owned together.
    if (step !== undefined && !repeated.has(step)) insertValue(set, step, shape.item, item)
  }
}

/** Inserts what is below a step; says whether the step is a container rather than a leaf. */
function insertValue(set: FieldSetBuilder, step: string, shape: Shape, value: unknown): boolean {
  const fitting = fittingShape(shape, value)
  if (fitting.kind === 'leaf') return false
  const child = childOf(set, step)
  if (fitting.kind === 'map') insertFields(child, fitting, value as Record<string, unknown>)
  else insertItems(child, fitting, value as unknown[])
  trim(set, step)
  return true
}

import { isDeepStrictEqual } from 'node:util'
import { childOf, type FieldSet, type FieldSetBuilder, newSet, trim } from './field-set.ts'
import { isEmptyContainer } from './remove.ts'
import { fittingShape, itemStep, type ListShape, type MapShape, type Shape } from './shape.ts'

/** Which paths differ between two values. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

interface Building {
  readonly added: FieldSetBuilder
  readonly modified: FieldSetBuilder
  readonly removed: FieldSetBuilder
}

/** Compares two values of one shape; `undefined` is an absent value. */
export function compareValues(shape: Shape, before: unknown, after: unknown): Comparison {
  const root: Building = { added: newSet(), modified: newSet(), removed: newSet() }
  compareBelow(shape, before, after, root)
  return root
}

/** Compares the parts of two containers; says false when they have to be compared as a whole. */
function compareBelow(shape: Shape, before: unknown, after: unknown, at: Building): boolean {
  if (isHollow(before) && isHollow(after)) return false
  const old = fittingShape(shape, before ?? after)
  const now = fittingShape(shape, after ?? before)
  if (old.kind === now.kind) return compareParts(old, before, after, at)
  if (isHollow(before)) return compareParts(now, undefined, after, at)
  if (isHollow(after)) return compareParts(old, before, undefined, at)
  // A value of another form: what was in it is gone, what is in it is new, and the value itself has changed.
  compareParts(old, before, undefined, at)
  compareParts(now, undefined, after, at)
  return false
}

function compareParts(shape: Shape, before: unknown, after: unknown, at: Building): boolean {
  if (shape.kind === 'leaf') return false
  if (shape.kind === 'map') compareMaps(shape, before, after, at)
  else compareLists(shape, before, after, at)
  return true
}

function compareMaps(shape: MapShape, before: unknown, after: unknown, at: Building): void {
  const old = (before ?? {}) as Record<string, unknown>
  const now = (after ?? {}) as Record<string, unknown>
  // `constructor` and `__proto__` are keys like any other.
  for (const key of Object.keys(old)) {
    compareStep(`f:${key}`, shape.field(key), old[key], Object.hasOwn(now, key) ? now[key] : undefined, at)
  }
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(old, key)) compareStep(`f:${key}`, shape.field(key), undefined, now[key], at)
  }
}

function compareLists(shape: ListShape, before: unknown, after: unknown, at: Building): void {
  const old = groupItems(shape, before)
  const now = groupItems(shape, after)
  for (const step of new Set([...old.keys(), ...now.keys()])) {
    compareItems(step, shape, old.get(step) ?? [], now.get(step) ?? [], at)
  }
}

// Items that share a key have no identity of their own: they are added, removed and changed together.
function compareItems(step: string, shape: ListShape, old: unknown[], now: unknown[], at: Building): void {
  if (old.length <= 1 && now.length <= 1) {
    compareStep(step, shape.item, old[0], now[0], at)
  } else if (old.length > 1 && now.length > 1) {
    if (!isDeepStrictEqual(old, now)) at.modified.members.add(step)
  } else if (old.length > 1) {
    if (now.length === 1) compareStep(step, shape.item, undefined, now[0], at)
    at.removed.members.add(step)
  } else {
    if (old.length === 1) compareStep(step, shape.item, old[0], undefined, at)
    at.added.members.add(step)
  }
}

function compareStep(step: string, shape: Shape, before: unknown, after: unknown, at: Building): void {
  if (before === after) return
  const below: Building = {
    added: childOf(at.added, step),
    modified: childOf(at.modified, step),
    removed: childOf(at.removed, step),
  }
  const descended = compareBelow(shape, before, after, below)
  trim(at.added, step)
  trim(at.modified, step)
  trim(at.removed, step)
  if (before === undefined) at.added.members.add(step)
  else if (after === undefined) at.removed.members.add(step)
  else if (!descended && !isDeepStrictEqual(before, after)) at.modified.members.add(step)
}

function groupItems(shape: ListShape, list: unknown): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const item of (list ?? []) as unknown[]) {
    const step = itemStep(shape, item)
    if (step === undefined) continue
    const group = groups.get(step)
    if (group === undefined) groups.set(step, [item])
    else group.push(item)
  }
  return groups
}

function isHollow(value: unknown): boolean {
  return value === undefined || value === null || isEmptyContainer(value)
}

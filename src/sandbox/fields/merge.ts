import { LadingError } from '../../core/index.ts'
import { setOwn } from '../clone.ts'
import { formatPath } from './fields-v1.ts'
import { isEmptyContainer } from './remove.ts'
import { fittingShape, itemStep, type ListShape, type MapShape, type Shape } from './shape.ts'

/** Merges what is applied into what is there: maps field by field, keyed lists item by item, all else replaced. */
export function mergeValues(shape: Shape, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return live
  if (live === undefined) {
    checkItems(shape, applied, [])
    return applied
  }
  const fitting = fittingShape(shape, applied)
  if (fitting.kind === 'leaf' || fittingShape(shape, live).kind === 'leaf') return applied
  if (isEmptyContainer(live) && isEmptyContainer(applied)) return applied
  if (fitting.kind === 'map') {
    return mergeMaps(fitting, live as Record<string, unknown>, applied as Record<string, unknown>)
  }
  return mergeLists(fitting, live as unknown[], applied as unknown[])
}

function mergeMaps(
  shape: MapShape,
  live: Record<string, unknown>,
  applied: Record<string, unknown>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(live)) {
    setOwn(result, key, mergeValues(shape.field(key), value, Object.hasOwn(applied, key) ? applied[key] : undefined))
  }
  for (const [key, value] of Object.entries(applied)) {
    if (!Object.hasOwn(live, key)) setOwn(result, key, mergeValues(shape.field(key), undefined, value))
  }
  return result
}

/**
 * Items that both sides have come in the order of the applied list; items of one side keep their place between them. An
 * item that only the live list has goes before the next shared one.
 */
function mergeLists(shape: ListShape, live: readonly unknown[], applied: readonly unknown[]): unknown[] {
  const ours = indexApplied(shape, applied, [])
  const theirs = live.map((item) => itemStep(shape, item))
  const liveByStep = new Map<string, unknown>()
  const repeated = new Set<string>()
  theirs.forEach((step, index) => {
    if (step === undefined) return
    if (liveByStep.has(step)) repeated.add(step)
    liveByStep.set(step, live[index])
  })
  const merged = (step: string): unknown =>
    // Items that share a key cannot be merged with: the applied one takes their place.
    mergeValues(shape.item, repeated.has(step) ? undefined : liveByStep.get(step), ours.get(step))

  const order = [...ours.keys()]
  const shared = order.filter((step) => liveByStep.has(step))
  const done = new Set<string>()
  const result: unknown[] = []
  let nextShared = 0
  let l = 0
  let r = 0
  const take = (step: string): void => {
    result.push(merged(step))
    done.add(step)
    if (shared[nextShared] === step) nextShared += 1
  }
  while (l < live.length || r < order.length) {
    const step = theirs[l]
    const mine = order[r]
    if (l < live.length && step !== undefined && mine !== undefined) {
      if (step === mine) {
        take(step)
        l += 1
        r += 1
        continue
      }
      if (ours.has(step) && shared[nextShared] !== undefined && shared[nextShared] !== step) {
        l += 1
        continue
      }
    }
    if (l < live.length) {
      if (step === undefined || !ours.has(step)) {
        result.push(live[l])
        l += 1
        continue
      }
      if (done.has(step)) l += 1
    }
    if (mine !== undefined) {
      take(mine)
      r += 1
    }
  }
  return result
}

function indexApplied(shape: ListShape, applied: readonly unknown[], path: readonly string[]): Map<string, unknown> {
  const index = new Map<string, unknown>()
  applied.forEach((item, position) => {
    const step = itemStep(shape, item)
    if (step === undefined) {
      const keys = shape.keys?.join(', ') ?? ''
      throw new LadingError('object.invalid', `${formatPath(path)}[${position}] lacks the key ${keys} of its list`)
    }
    if (index.has(step)) {
      throw new LadingError('object.invalid', `${formatPath(path)} has duplicate entries for key ${formatPath([step])}`)
    }
    index.set(step, item)
  })
  return index
}

/** Refuses keyed lists whose items lack their key or repeat it, anywhere in an applied value. */
export function checkItems(shape: Shape, applied: unknown, path: readonly string[]): void {
  const fitting = fittingShape(shape, applied)
  if (fitting.kind === 'map') {
    for (const [key, value] of Object.entries(applied as Record<string, unknown>)) {
      checkItems(fitting.field(key), value, [...path, `f:${key}`])
    }
  } else if (fitting.kind === 'list') {
    for (const [step, item] of indexApplied(fitting, applied as unknown[], path)) {
      checkItems(fitting.item, item, [...path, step])
    }
  }
}

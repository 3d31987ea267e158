import { LadingError } from '../../../core/index.ts'
import type { Slot } from '../config/apply-field-spec.ts'
import { compilePattern } from '../select/pattern.ts'
import { resolvePlain } from '../yaml/resolve-plain.ts'
import { assign, isMap, isNull, newMap, Untagged, textOf, type Value, type ValueMap } from '../yaml/value.ts'
import { isIndex, listStep } from './field-path.ts'

/** What is made where a target's field is missing. */
type CreateKind = 'scalar' | 'map' | 'list' | undefined

/**
 * The places that a replacement's field path leads to. `*` takes every item, `[key=pattern]` those whose key has a match, an
 * index the one at that place; with `create`, what is missing is made.
 */
export function matchFields(slot: Slot, path: readonly string[], create: CreateKind): Slot[] {
  const [step, ...rest] = path
  if (step === undefined) return [slot]
  if (isIndex(step)) return matchIndex(slot, Number(step), rest, create)
  if (step.startsWith('[') && step.endsWith(']')) return matchItems(slot, step, rest, create)
  const value = slot.get()
  if (step === '*') {
    return listAt(value, step).flatMap((_, index) => matchFields(slotOf(value as Value[], index), rest, create))
  }
  if (isNull(value)) return []
  if (!isMap(value)) throw problem(`wrong node kind: expected a map to hold "${step}"`)
  if (!Object.hasOwn(value, step)) {
    if (create === undefined) return []
    value[step] = emptyFor(rest[0], create)
  }
  return matchFields(slotOf(value, step), rest, create)
}

function matchIndex(slot: Slot, index: number, rest: readonly string[], create: CreateKind): Slot[] {
  const list = listAt(slot.get(), String(index))
  if (index === list.length && create !== undefined) list.push(emptyFor(rest[0], create))
  if (index >= list.length) throw problem(`index ${index} specified but only ${list.length} elements found`)
  return matchFields(slotOf(list, index), rest, create)
}

function matchItems(slot: Slot, step: string, rest: readonly string[], create: CreateKind): Slot[] {
  const match = listStep(step)
  if (match === undefined) throw problem('list path element must contain fieldName=fieldValue for element to match')
  const list = listAt(slot.get(), step)
  const pattern = compilePattern(match.value, 'replacements.targets.fieldPaths')
  const found = list.flatMap((item, index) => {
    if (match.key === '') return pattern.test(textOf(item)) ? [slotOf(list, index)] : []
    if (!isMap(item) || !Object.hasOwn(item, match.key) || !pattern.test(textOf(item[match.key]))) return []
    return matchFields(slotOf(list, index), rest, create)
  })
  if (found.length > 0 || create === undefined) return found
  const resolved = resolvePlain(match.value)
  const value: Value = typeof resolved === 'symbol' ? match.value : resolved
  list.push(match.key === '' ? value : newMap({ [match.key]: value }))
  if (match.key === '') return [slotOf(list, list.length - 1)]
  return matchFields(slotOf(list, list.length - 1), rest, create)
}

function listAt(value: Value, step: string): Value[] {
  if (isNull(value)) return []
  if (!Array.isArray(value)) throw problem(`wrong node kind: expected a list for "${step}"`)
  return value
}

function emptyFor(next: string | undefined, create: CreateKind): Value {
  if (next !== undefined && (isIndex(next) || (next.startsWith('[') && next.endsWith(']')))) return []
  if (next !== undefined || create === 'map') return newMap()
  // Without a tag: a number that is put here is a number, whatever it was where it came from.
  return create === 'list' ? [] : new Untagged(null, '')
}

function slotOf(container: ValueMap | Value[], key: string | number): Slot {
  const holder = container as Record<string | number, Value>
  return { get: () => holder[key]!, set: (value) => assign(container, key, value) }
}

function problem(text: string): LadingError {
  return new LadingError('kustomize.invalid', text)
}

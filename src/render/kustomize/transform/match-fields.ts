import { LadingError } from '../../../core/index.ts'
import type { Slot } from '../config/apply-field-spec.ts'
import { compilePattern } from '../select/pattern.ts'
import { readDocuments } from '../yaml/read-documents.ts'
import { resolvePlain } from '../yaml/resolve-plain.ts'
import { assign, isMap, isNull, isScalar, newMap, Untagged, textOf, type Value, type ValueMap } from '../yaml/value.ts'
import { isIndex, listStep } from './field-path.ts'

/** What is made where a target's field is missing. */
export type CreateKind = 'scalar' | 'map' | 'list' | undefined

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
  const field = value[step]!
  if (rest.length === 0 || !isScalar(field) || isNull(field)) return matchFields(slotOf(value, step), rest, create)
  // Text that holds YAML is looked into, but only `replaceInText` writes it back: here what is set is lost, as with kustomize.
  return matchFields(slotOf([readText(textOf(field))], 0), rest, create).map(() => lost)
}

const lost: Slot = { get: () => '', set: () => undefined }

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

/** The value of JSON or YAML that stands in a field. */
export function readText(text: string): Value {
  const value = readDocuments(text, 'the text')[0]
  if (!isMap(value) && !Array.isArray(value)) {
    throw problem('wrong node kind: the text holds no map and no list')
  }
  return value
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

import { stringifyJson } from '../../../core/index.ts'
import { isEmpty, isMap, isNull, isScalar, textOf, type Value, type ValueMap } from '../yaml/value.ts'
import { takeDirective } from './directive.ts'
import { matchElement, setElement } from './list-element.ts'
import type { Merge } from './merge-patch.ts'
import type { MergeSchema } from './merge-schema.ts'

/** Merges lists whose items are told apart by keys, or by their own text where they are scalars. */
export function mergeLists(
  target: Value[] | null | undefined,
  patch: Value[] | null | undefined,
  schema: MergeSchema,
  merge: Merge,
): Value[] | undefined {
  const base = baseList(target, patch)
  if (base === undefined) return undefined
  const sources = [base, Array.isArray(patch) ? patch : undefined] as const
  const keys = schema.mergeKeys!
  // Items of the patch come first, those that only the target has behind them.
  const patchFirst = [sources[1], sources[0]].filter((source) => source !== undefined)
  if (keys.length === 0) return mergeItems(texts(patchFirst), [''], sources, schema, merge)
  return mergeItems(keyTexts(patchFirst, keys), keys, sources, schema, merge)
}

function baseList(target: Value[] | null | undefined, patch: Value[] | null | undefined): Value[] | undefined {
  if (!Array.isArray(target)) return Array.isArray(patch) ? patch : undefined
  if (patch === undefined) return target
  if (!Array.isArray(patch)) return undefined
  const directive = takeDirective(patch)
  if (directive === 'delete') return undefined
  return directive === 'replace' ? patch : target
}

function mergeItems(
  found: string[][],
  keys: readonly string[],
  [target, patch]: readonly [Value[], Value[] | undefined],
  schema: MergeSchema,
  merge: Merge,
): Value[] {
  const valuesList = keys.length > 1 ? unify(found) : found
  const merged: Value[] = []
  let usedKeys: readonly string[] = keys
  const present = presentKeys(valuesList, keys)
  for (const values of valuesList) {
    usedKeys = present.size === 0 ? keys : keys.filter((key) => present.has(key))
    const usedValues =
      present.size === 0 ? values : values.filter((value, index) => value !== '' || present.has(keys[index]!))
    const own = presentKeys([usedValues], usedKeys)
    const matchKeys = own.size === 0 ? usedKeys : usedKeys.filter((key) => own.has(key))
    const matchValues = own.size === 0 ? usedValues : usedValues.filter((value) => value !== '')
    const item = merge(
      matchElement(target, matchKeys, matchValues),
      patch === undefined ? undefined : matchElement(patch, matchKeys, matchValues),
      schema.element(),
    )
    if (typeof item === 'symbol' || item === undefined || isNull(item) || (isMap(item) && isEmpty(item))) {
      setElement(target, undefined, usedKeys, usedValues)
      continue
    }
    if (isMap(item)) fillKeys(item, usedKeys, usedValues)
    setElement(merged, item, usedKeys, usedValues)
  }
  return valuesList.length === 0 ? target : appendTarget(merged, target, usedKeys)
}

function appendTarget(merged: Value[], target: readonly Value[], keys: readonly string[]): Value[] {
  for (const item of target) {
    if (keys[0] === '') {
      setElement(merged, item, [''], [textOf(item)])
      continue
    }
    const values: string[] = []
    for (const key of keys) {
      const value = isMap(item) ? item[key] : undefined
      if (value === undefined) merged.push(item)
      else values.push(textOf(value))
    }
    if (keys.length > 1) setElement(merged, undefined, keys, values)
    setElement(merged, item, keys, values)
  }
  return merged
}

function fillKeys(item: ValueMap, keys: readonly string[], values: readonly string[]): void {
  for (const [index, key] of keys.entries()) {
    const value = values[index] ?? ''
    if (!Object.hasOwn(item, key) && value !== '') item[key] = value
  }
}

function texts(sources: readonly (readonly Value[])[]): string[][] {
  return [...new Set(sources.flatMap((source) => source.map(textOf)))].map((text) => [text])
}

function keyTexts(sources: readonly (readonly Value[])[], keys: readonly string[]): string[][] {
  const seen = new Map<string, string[]>()
  for (const item of sources.flat()) {
    const values = keys.map((key) =>
      isMap(item) && isScalar(item[key] ?? null) && !isEmpty(item[key]) ? textOf(item[key]) : '',
    )
    const key = stringifyJson(values)
    if (!seen.has(key)) seen.set(key, values)
  }
  return [...seen.values()]
}

// Ports may leave out their protocol: items whose given keys agree are one item with the keys of both.
function unify(valuesList: string[][]): string[][] {
  const unified = [...valuesList]
  for (let a = 0; a < unified.length; a++) {
    for (let b = 0; b < unified.length; b++) {
      const both = agree(unified[a]!, unified[b]!)
      if (both === undefined) continue
      unified[a] = both
      unified[b] = both
    }
  }
  return unified
}

function agree(a: readonly string[], b: readonly string[]): string[] | undefined {
  if (a.length !== b.length) return undefined
  const fits = a.every((value, index) => value === b[index] || value === '' || b[index] === '')
  const common = a.some((value, index) => value === b[index])
  return fits && common ? a.map((value, index) => (value === '' ? b[index]! : value)) : undefined
}

function presentKeys(valuesList: readonly (readonly string[])[], keys: readonly string[]): Set<string> {
  const present = new Set<string>()
  for (const values of valuesList) {
    for (const [index, value] of values.entries()) if (value !== '') present.add(keys[index]!)
  }
  return present
}

import { GoError, GoInt, type GoList, type GoMap, GoObject, goType, type GoValue } from '../../../gotemplate/value.ts'
import { define, defineVariadic, type Definition, type FunctionFamily } from '../define-function.ts'
import { checkDepth, type FunctionEnvironment } from '../environment.ts'
import { isGoMap, typeName } from '../../../gotemplate/type-name.ts'
import { stringValue } from '../formats/format-value.ts'
import { compareText } from '../../../gotemplate/format/bytes.ts'
import { isList, newMap, strings, typedList } from './make-value.ts'
import { mergeInto } from './merge-maps.ts'
import { isNilCollection, nilMap } from './nil-values.ts'

/** Sprig's functions over maps. `set`, `unset` and the merges change the map that they get, as in Go. */
export function dictFunctions(environment: FunctionEnvironment): FunctionFamily {
  const copy = define(['any'], (value) => {
    if (value === null || value === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value')
    return deepCopy(value, environment, 0)
  })
  return {
    dict: defineVariadic([], 'any', dict),
    get: define(['map[string]interface {}', 'string'], (map, key) => (key in map ? map[key] : '')),
    set: define(['map[string]interface {}', 'string', 'any'], (map, key, value) => {
      if (map === nilMap) throw new GoError('assignment to entry in nil map')
      map[key] = value ?? null
      return map
    }),
    unset: define(['map[string]interface {}', 'string'], (map, key) => {
      if (map !== nilMap) delete map[key]
      return map
    }),
    hasKey: define(['map[string]interface {}', 'string'], (map, key) => key in map),
    pluck: defineVariadic(['string'], 'map[string]interface {}', (maps, key) =>
      maps.filter((map) => key in map).map((map) => map[key]),
    ),
    // Go gives keys in no order; here it is always the same.
    keys: defineVariadic([], 'map[string]interface {}', (maps) => strings(maps.flatMap(sortedKeys))),
    values: define(['map[string]interface {}'], (map) => sortedKeys(map).map((key) => map[key])),
    pick: defineVariadic(['map[string]interface {}'], 'string', (keys, map) =>
      entries(
        map,
        keys.filter((key) => key in map),
      ),
    ),
    omit: defineVariadic(['map[string]interface {}'], 'string', (keys, map) => {
      const omitted = new Set(keys)
      return entries(
        map,
        Object.keys(map).filter((key) => !omitted.has(key)),
      )
    }),
    merge: merge(false),
    mustMerge: merge(false),
    mergeOverwrite: merge(true),
    mustMergeOverwrite: merge(true),
    deepCopy: copy,
    mustDeepCopy: copy,
    dig: defineVariadic([], 'any', dig),
  }
}

function dict(values: readonly GoValue[]): GoMap {
  const map = newMap()
  for (let at = 0; at < values.length; at += 2) {
    map[stringValue(values[at])] = at + 1 < values.length ? (values[at + 1] ?? null) : ''
  }
  return map
}

function sortedKeys(map: GoMap): string[] {
  return Object.keys(map).sort(compareText)
}

function entries(map: GoMap, keys: readonly string[]): GoMap {
  const result = newMap()
  for (const key of keys) result[key] = map[key]
  return result
}

function merge(overwrites: boolean): Definition {
  return defineVariadic(['map[string]interface {}'], 'map[string]interface {}', (sources, given) => {
    let target = given
    for (const source of sources) {
      if (target === nilMap && source !== nilMap) target = newMap()
      mergeInto(target, source, overwrites)
    }
    return target
  })
}

function deepCopy(value: GoValue, environment: FunctionEnvironment, depth: number): GoValue {
  checkDepth(depth, environment.limits)
  if (value instanceof GoInt || value instanceof GoObject || isNilCollection(value)) return value
  if (isList(value)) {
    const items: GoList = value.map((item) => deepCopy(item, environment, depth + 1))
    const type = value[goType]
    return type === undefined ? items : typedList(items, type)
  }
  if (!isGoMap(value)) return value
  const map = newMap(value[goType])
  for (const key of Object.keys(value)) map[key] = deepCopy(value[key], environment, depth + 1)
  return map
}

function dig(values: readonly GoValue[]): GoValue {
  if (values.length < 3) throw new GoError('dig needs at least three arguments')
  const fallback = values[values.length - 2]
  const keys = values.slice(0, -2)
  let step = asPlainMap(values.at(-1))
  for (const key of keys) if (typeof key !== 'string') throw conversion(key, 'string')
  for (const [at, key] of (keys as string[]).entries()) {
    if (!(key in step)) return fallback
    if (at === keys.length - 1) return step[key]
    step = asPlainMap(step[key])
  }
  return fallback
}

// `dig` looks at the type itself, so that a named map type such as the values' is none to it.
function asPlainMap(value: GoValue): GoMap {
  if (isGoMap(value) && value[goType] === undefined) return value
  throw conversion(value, 'map[string]interface {}')
}

function conversion(value: GoValue, wanted: string): GoError {
  const type = value === null || value === undefined ? 'nil' : typeName(value)
  return new GoError(`interface conversion: interface {} is ${type}, not ${wanted}`)
}

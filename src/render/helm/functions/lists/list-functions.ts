import { randomBelow } from '../../../../core/index.ts'
import { GoError, type GoList, goType, type GoValue } from '../../../gotemplate/value.ts'
import { toInt64 } from '../math/cast-number.ts'
import { deepEqual } from './deep-equal.ts'
import { define, defineVariadic, type Definition, type FunctionFamily } from '../define-function.ts'
import { isEmpty } from '../defaults/empty-value.ts'
import { checkCount, type FunctionEnvironment } from '../environment.ts'
import { kindName } from '../../../gotemplate/type-name.ts'
import { stringValue } from '../formats/format-value.ts'
import { compareText } from '../../../gotemplate/format/bytes.ts'
import { isList, plainValue, strings, typedList } from '../dicts/make-value.ts'
import { nilList } from '../dicts/nil-values.ts'
import { stringSlice } from '../strings/split-text.ts'

/** Sprig's functions over lists. None changes the list that it gets; `must` or not, an error ends the template. */
export function listFunctions(environment: FunctionEnvironment): FunctionFamily {
  const list = defineVariadic([], 'any', (values) => values)
  return {
    list,
    tuple: list,
    ...both(
      'first',
      define(['any'], (value) => items(value, 'Cannot find first on type').at(0) ?? null),
    ),
    ...both(
      'last',
      define(['any'], (value) => items(value, 'Cannot find last on type').at(-1) ?? null),
    ),
    ...both(
      'rest',
      define(['any'], (value) => orNil(items(value, 'Cannot find rest on type'), (all) => all.slice(1))),
    ),
    ...both(
      'initial',
      define(['any'], (value) => orNil(items(value, 'Cannot find initial on type'), (all) => all.slice(0, -1))),
    ),
    ...both('append', append),
    ...both('push', append),
    ...both(
      'prepend',
      define(['any', 'any'], (value, item) => [item, ...items(value, 'Cannot prepend on type')]),
    ),
    ...both(
      'reverse',
      define(['any'], (value) => [...items(value, 'Cannot find reverse on type')].reverse()),
    ),
    ...both(
      'compact',
      define(['any'], (value) => items(value, 'Cannot compact on type').filter((item) => !isEmpty(item))),
    ),
    ...both(
      'uniq',
      define(['any'], (value) => unique(items(value, 'Cannot find uniq on type'))),
    ),
    ...both(
      'without',
      defineVariadic(['any'], 'any', (omitted, value) =>
        items(value, 'Cannot find without on type').filter((item) => !omitted.some((other) => deepEqual(item, other))),
      ),
    ),
    ...both('has', define(['any', 'any'], has)),
    ...both(
      'slice',
      defineVariadic(['any'], 'any', (bounds, value) => slice(value, bounds)),
    ),
    ...both('chunk', define(['int', 'any'], chunk)),
    concat: defineVariadic([], 'any', (lists) => concat(lists, environment)),
    sortAlpha: define(['any'], (value) =>
      strings(isList(plainValue(value)) ? stringSlice(value).sort(compareText) : [stringValue(value)]),
    ),
    shuffle: define(['string'], (text) => shuffle(Array.from(text), environment).join('')),
  }
}

const append = define(['any', 'any'], (value, item) => [...items(value, 'Cannot push on type'), item])

function both(name: string, definition: Definition): FunctionFamily {
  return { [name]: definition, [`must${name[0]!.toUpperCase()}${name.slice(1)}`]: definition }
}

function items(value: GoValue, problem: string): GoList {
  const plain = plainValue(value)
  if (isList(plain)) return plain
  if (value === null || value === undefined) throw nilPointer()
  throw new GoError(`${problem} ${kindName(value)}`)
}

// What Go says where a function asks nil for its type.
function nilPointer(): GoError {
  return new GoError('runtime error: invalid memory address or nil pointer dereference')
}

function orNil(all: GoList, part: (all: GoList) => GoValue[]): GoValue {
  return all.length === 0 ? nilList : part(all)
}

function unique(all: GoList): GoValue[] {
  const kept: GoValue[] = []
  const simple = new Set<GoValue>()
  for (const item of all) {
    if (typeof item === 'string' || typeof item === 'boolean') {
      if (simple.has(item)) continue
      simple.add(item)
    } else if (kept.some((other) => deepEqual(item, other))) continue
    kept.push(item)
  }
  return kept
}

function has(needle: GoValue, haystack: GoValue): boolean {
  if (haystack === null || haystack === undefined) return false
  return items(haystack, 'Cannot find has on type').some((item) => deepEqual(needle, item))
}

function slice(value: GoValue, bounds: readonly GoValue[]): GoValue {
  const all = items(value, 'list should be type of slice or array but')
  if (all.length === 0) return null
  const start = bounds.length > 0 ? Number(toInt64(bounds[0])) : 0
  const end = bounds.length > 1 ? Number(toInt64(bounds[1])) : all.length
  // Go lets a slice grow into the room that its list happens to have; here a list has no room.
  if (start < 0 || end < start || end > all.length) throw new GoError('reflect.Value.Slice: slice index out of bounds')
  const part = all.slice(start, end)
  return sameType(part, all)
}

function sameType(part: GoValue[], all: GoList): GoValue {
  const type = all[goType]
  return type === undefined ? part : typedList(part, type)
}

function chunk(size: number, value: GoValue): GoValue {
  const all = items(value, 'Cannot chunk type')
  if (size === 0) throw new GoError('runtime error: makeslice: len out of range')
  const count = Math.floor((all.length - 1) / size) + 1
  if (size < 0 || count < 0) throw new GoError('runtime error: makeslice: len out of range')
  const chunks = Array.from({ length: count }, (_, at): GoValue => all.slice(at * size, (at + 1) * size))
  return typedList(chunks, '[][]interface {}')
}

function concat(lists: readonly GoValue[], environment: FunctionEnvironment): GoValue {
  const all: GoValue[] = []
  for (const list of lists) {
    const plain = plainValue(list)
    if (list === null || list === undefined) throw nilPointer()
    if (!isList(plain)) throw new GoError(`Cannot concat type ${kindName(list)} as list`)
    checkCount(all.length + plain.length, environment.limits)
    for (const item of plain) all.push(item)
  }
  return all.length === 0 ? nilList : all
}

function shuffle(characters: string[], environment: FunctionEnvironment): string[] {
  for (let at = characters.length - 1; at > 0; at--) {
    const other = Number(randomBelow(environment.random, BigInt(at + 1)))
    ;[characters[at], characters[other]] = [characters[other]!, characters[at]!]
  }
  return characters
}

import { compareText } from '../format/bytes.ts'
import { sprintf } from '../format/sprintf.ts'
import { isGoMap, kindName, typeName } from '../type-name.ts'
import { GoError, GoFunction, GoInt, GoObject, type GoValue } from '../value.ts'

type BasicKind = 'bool' | 'int' | 'uint' | 'float' | 'string' | 'none'

/** Go's `eq`: whether the first value equals one of the others. A GoError is thrown where they cannot be compared. */
export function equalsAny(first: GoValue, others: readonly GoValue[]): boolean {
  if (others.length === 0) throw new GoError('missing argument for comparison')
  return others.some((other) => equals(first, other))
}

/** Go's `lt`. */
export function isLess(a: GoValue, b: GoValue): boolean {
  const kind = basicKind(a)
  const other = basicKind(b)
  if (kind === 'none' || other === 'none') throw new GoError('invalid type for comparison')
  const left = basicValue(a)
  const right = basicValue(b)
  if (left instanceof GoInt && right instanceof GoInt) return left.value < right.value
  if (kind !== other) throw incompatible(a, b)
  if (typeof left === 'number' && typeof right === 'number') return left < right
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right) < 0
  throw new GoError('invalid type for comparison')
}

/**
 * Orders two values as Go's `lt` and `eq` do: negative, zero or positive; NaN where floats have no order. A GoError is thrown
 * where the types do not compare.
 */
export function compareBasic(a: GoValue, b: GoValue): number {
  if (isLess(a, b)) return -1
  if (equals(a, b)) return 0
  return isLess(b, a) ? 1 : Number.NaN
}

function equals(a: GoValue, b: GoValue): boolean {
  const kind = basicKind(a)
  const other = basicKind(b)
  const left = basicValue(a)
  const right = basicValue(b)
  if (left instanceof GoInt && right instanceof GoInt) return left.value === right.value
  if (kind !== other) {
    if (isNil(a) || isNil(b)) return false
    throw incompatible(a, b)
  }
  if (kind !== 'none') return left === right
  return equalsOther(a, b)
}

function equalsOther(a: GoValue, b: GoValue): boolean {
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b)
  if (kindName(a) !== kindName(b)) {
    throw new GoError(
      `non-comparable types ${sprintf('%s', [a])}: ${typeName(a)}, ${typeName(b)}: ${sprintf('%v', [b])}`,
    )
  }
  const kind = kindName(b)
  if (kind === 'map' || kind === 'slice' || kind === 'func') {
    throw new GoError(`non-comparable type ${sprintf('%s', [b])}: ${typeName(b)}`)
  }
  if (!(a instanceof GoObject) || !(b instanceof GoObject) || kind !== 'struct') return a === b
  return equalStructs(a, b)
}

function equalStructs(a: GoObject, b: GoObject): boolean {
  const others = b.fields().map(([, value]) => value)
  // A struct compares if all its fields do.
  if (others.some((value) => Array.isArray(value) || isGoMap(value) || value instanceof GoFunction)) {
    throw new GoError(`non-comparable type ${sprintf('%s', [b])}: ${typeName(b)}`)
  }
  return (
    a === b ||
    (a.typeName === b.typeName &&
      a
        .fields()
        .every(([, value], index) => typeName(value) === typeName(others[index]) && equals(value, others[index])))
  )
}

function incompatible(a: GoValue, b: GoValue): GoError {
  return new GoError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`)
}

function isNil(value: GoValue): value is null | undefined {
  return value === null || value === undefined
}

function basicKind(value: GoValue): BasicKind {
  const basic = basicValue(value)
  switch (typeof basic) {
    case 'boolean':
      return 'bool'
    case 'number':
      return 'float'
    case 'string':
      return 'string'
    default:
      if (!(basic instanceof GoInt)) return 'none'
      return basic.kind.startsWith('u') ? 'uint' : 'int'
  }
}

// A named type compares as what it is made of.
function basicValue(value: GoValue): GoValue {
  return value instanceof GoObject && !value.typeName.startsWith('*') ? (value.underlying() ?? value) : value
}

import { formatPrint, sprintf } from '../format/sprintf.ts'
import { typeName } from '../type-name.ts'
import { GoError, GoFunction, GoInt, type GoMap, type GoValue, type ParameterType } from '../value.ts'

/** The functions of the Go program, made the same way. */
export const caseFunctions: Readonly<Record<string, GoFunction>> = Object.fromEntries(
  [
    takes('takesString', 'string', (value) => `string ${value as string}`),
    takes('takesBool', 'bool', (value) => formatPrint(['bool ', value])),
    takes('takesInt', 'int', (value) => formatPrint(['int ', value])),
    takes('takesInt64', 'int64', (value) => formatPrint(['int64 ', value])),
    takes('takesFloat', 'float64', (value) => formatPrint(['float64 ', value])),
    takes('takesAny', 'any', (value) => sprintf('any %v', [value])),
    takes('takesMap', 'map[string]interface {}', (value) => `map ${size(value)}`),
    takes('takesList', '[]interface {}', (value) => `list ${size(value)}`),
    takes('takesStrings', '[]string', (value) => `strings ${size(value)}`),
    takes('takesError', 'error', (value) => formatPrint(['error ', value])),
    new GoFunction('joined', ['string'], (parts) => (parts as string[]).join('+'), true),
    new GoFunction('prefixed', ['string', 'any'], ([prefix, ...parts]) => `${prefix as string}${formatPrint(parts)}`, true),
    new GoFunction('two', ['string', 'string'], ([a, b]) => `${a as string}${b as string}`),
    new GoFunction('none', [], () => 'none'),
    new GoFunction('nothing', [], () => null),
    takes('fails', 'string', (message) => new GoError(message as string)),
    new GoFunction('panics', [], () => {
      throw new GoError('out of luck')
    }),
    new GoFunction('list', ['any'], (items) => [...items], true),
    new GoFunction('dict', ['any'], dict, true),
    new GoFunction('anError', [], () => 'an error'),
    takes('int64', 'int', (value) => new GoInt((value as GoInt).value, 'int64')),
    takes('uint', 'int', (value) => new GoInt((value as GoInt).value, 'uint')),
    takes('uint8', 'int', (value) => new GoInt((value as GoInt).value, 'uint8')),
  ].map((fn) => [fn.name, fn]),
)

function takes(name: string, type: ParameterType, call: (value: GoValue) => GoValue): GoFunction {
  return new GoFunction(name, [type], ([value]) => call(value))
}

function size(value: GoValue): number {
  return Object.keys(value ?? {}).length
}

function dict(pairs: readonly GoValue[]): GoMap {
  const map = Object.create(null) as GoMap
  for (let index = 0; index + 1 < pairs.length; index += 2) map[key(pairs[index])] = pairs[index + 1]
  return map
}

// A Go program panics here, and the template says how.
function key(value: GoValue): string {
  if (typeof value === 'string') return value
  const type = value === null ? 'nil' : typeName(value)
  throw new GoError(`interface conversion: interface {} is ${type}, not string`)
}

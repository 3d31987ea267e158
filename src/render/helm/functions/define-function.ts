import { GoFunction, GoInt, type GoList, type GoMap, type GoValue, type ParameterType } from '../../gotemplate/value.ts'
import { nilList, nilMap } from './dicts/nil-values.ts'

/** A function that has no name yet. */
export type Definition = (name: string) => GoFunction

/** Functions by the names that templates call them by. */
export type FunctionFamily = Readonly<Record<string, Definition>>

interface Converted {
  any: GoValue
  string: string
  bool: boolean
  int: number
  int64: bigint
  float64: number
  error: GoValue
  'map[string]interface {}': GoMap
  '[]interface {}': GoList
  '[]string': GoList
  'time.Time': GoValue
  'sprig.certificate': GoValue
}

type Arguments<Types extends readonly ParameterType[]> = { -readonly [At in keyof Types]: Converted[Types[At]] }

/** Defines a function with a fixed number of parameters. */
export function define<const Types extends readonly ParameterType[]>(
  parameters: Types,
  call: (...args: Arguments<Types>) => GoValue,
): Definition {
  return (name) =>
    new GoFunction(name, parameters, (args) =>
      call(...(parameters.map((type, at) => convert(args[at], type)) as Arguments<Types>)),
    )
}

/** Defines a function that takes any number of arguments after the fixed ones; they come first here. */
export function defineVariadic<const Types extends readonly ParameterType[], const Rest extends ParameterType>(
  fixed: Types,
  rest: Rest,
  call: (rest: Converted[Rest][], ...args: Arguments<Types>) => GoValue,
): Definition {
  return (name) =>
    new GoFunction(
      name,
      [...fixed, rest],
      (args) => {
        const others = args.slice(fixed.length).map((value) => convert(value, rest) as Converted[Rest])
        return call(others, ...(fixed.map((type, at) => convert(args[at], type)) as Arguments<Types>))
      },
      true,
    )
}

/** Gives functions the names that their errors say. */
export function named(family: FunctionFamily): Record<string, GoFunction> {
  return Object.fromEntries(Object.entries(family).map(([name, definition]) => [name, definition(name)]))
}

function convert(value: GoValue, type: ParameterType): GoValue | bigint {
  switch (type) {
    case 'int':
      return value instanceof GoInt ? Number(value.value) : 0
    case 'int64':
      return value instanceof GoInt ? value.value : 0n
    case 'map[string]interface {}':
      return value ?? nilMap
    case '[]interface {}':
      return value ?? nilList
    default:
      return value
  }
}

import { quote } from '../../gotemplate/index.ts'
import { GoError, GoFunction, goMethods, goType, type GoValue } from '../../gotemplate/value.ts'
import { scalarAt, tableAt } from '../values/table-at.ts'
import { newValues, type Values } from '../values/values.ts'

/**
 * Makes a map what Go calls `common.Values`: a type of its own name, with methods that some charts call. The map of a subchart
 * is also a plain part of its parent's values, and there it must stay assignable to what wants a plain map: it gets no name.
 */
export function valuesObject(values: Values, isShared: boolean, toYaml: (value: GoValue) => string): Values {
  const methods = new Map([
    // A plain map of the same entries; what is set in it at the top stays there, which in Go it would not.
    ['AsMap', new GoFunction('AsMap', [], () => Object.assign(newValues(), values))],
    ['YAML', new GoFunction('YAML', [], () => `${toYaml(values)}\n`)],
    ['Table', new GoFunction('Table', ['string'], ([path]) => table(values, path as string, toYaml))],
    ['PathValue', new GoFunction('PathValue', ['string'], ([path]) => pathValue(values, path as string))],
  ])
  // Not enumerable: copies of the map are plain maps again.
  if (!isShared) Object.defineProperty(values, goType, { value: 'common.Values', configurable: true })
  Object.defineProperty(values, goMethods, { value: (name: string) => methods.get(name), configurable: true })
  return values
}

function table(values: Values, path: string, toYaml: (value: GoValue) => string): GoValue {
  const found = tableAt(values, path)
  return 'table' in found
    ? valuesObject(found.table, true, toYaml)
    : new GoError(`${quote(found.missing)} is not a table`)
}

function pathValue(values: Values, path: string): GoValue {
  const value = scalarAt(values, path)
  if (value !== undefined) return value
  return new GoError(
    path === '' ? 'YAML path cannot be empty' : `${quote(path.slice(path.lastIndexOf('.') + 1))} is not a value`,
  )
}

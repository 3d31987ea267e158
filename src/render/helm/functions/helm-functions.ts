import { GoError, type GoFunction, type GoValue } from '../../gotemplate/value.ts'
import { define, named } from './define-function.ts'
import { functionTable } from './function-table.ts'
import type { FunctionEnvironment } from './environment.ts'
import { newMap } from './dicts/make-value.ts'

/** What `include` and `tpl` need of the engine. */
export interface IncludeEngine {
  include(name: string, data: GoValue): string
  tpl(text: string, data: GoValue): string
}

const warningStart = 'HELM_ERR_START'
const warningEnd = 'HELM_ERR_END'

/** Every function that Helm gives a template: sprig's, Helm's own, and those bound to the set of templates that calls them. */
export function helmFunctions(environment: FunctionEnvironment, engine: IncludeEngine): Record<string, GoFunction> {
  return { ...functionTable(environment), ...boundFunctions(environment, engine) }
}

/** Only the functions that are bound to a set of templates, and those that end a template. */
export function boundFunctions(environment: FunctionEnvironment, engine: IncludeEngine): Record<string, GoFunction> {
  return named({
    include: define(['string', 'any'], (name, data) => engine.include(name, data)),
    tpl: define(['string', 'any'], (text, data) => engine.tpl(text, data)),
    required: define(['string', 'any'], (warning, value) => {
      if (value !== null && value !== undefined && value !== '') return value
      if (environment.lint === true) return ''
      throw new GoError(`${warningStart}${warning}${warningEnd}`)
    }),
    fail: define(['string'], (message) => {
      if (environment.lint === true) return ''
      throw new GoError(`${warningStart}${message}${warningEnd}`)
    }),
    lookup: define(['string', 'string', 'string', 'string'], (apiVersion, kind, namespace, name) =>
      environment.lookup === undefined ? newMap() : environment.lookup(apiVersion, kind, namespace, name),
    ),
  })
}

/** The sentence that `fail` or `required` ended a template with; undefined for any other error's text. */
export function warningIn(text: string): string | undefined {
  const start = text.indexOf(warningStart)
  const end = text.lastIndexOf(warningEnd)
  return start < 0 || end < start + warningStart.length ? undefined : text.slice(start + warningStart.length, end)
}

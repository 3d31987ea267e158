import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { GoValue } from '../../gotemplate/value.ts'
import { copyValues, isTable, newValues, type Values } from './values.ts'

/** What coalescing needs to know of a chart. */
export interface ValuesOwner {
  readonly name: string
  readonly values: Values
  readonly dependencies: readonly ValuesOwner[]
}

/** How two layers of values meet. */
export interface CoalesceOptions {
  /** Keeps nulls instead of deleting what they are laid over; Helm does so where it will coalesce again later. */
  readonly keepNulls: boolean
  /** Told what was ignored for its type. */
  readonly warn: (message: string) => void
  /** Writes a value for a warning. */
  readonly show: (value: GoValue) => string
}

/**
 * Helm's CoalesceValues and MergeValues: what is given wins over the chart's defaults, a chart's values win over its
 * subcharts', scalars and lists replace, maps merge, globals go down. Gives a new map.
 */
export function coalesceChart(chart: ValuesOwner, given: Values, options: CoalesceOptions): Values {
  return coalesce(chart, copyValues(given), '', options)
}

/** Helm's CoalesceTables and MergeTables: fills `target` with what it lacks of `source`. Changes both. */
export function coalesceTables(target: Values, source: Values, options: CoalesceOptions): Values {
  return fillTable(target, source, '', options)
}

function coalesce(chart: ValuesOwner, target: Values, prefix: string, options: CoalesceOptions): Values {
  addDefaults(chart, target, prefix, options)
  return coalesceDependencies(chart, target, prefix, options)
}

function addDefaults(chart: ValuesOwner, target: Values, prefix: string, options: CoalesceOptions): void {
  const path = join(prefix, chart.name)
  const defaults = copyValues(chart.values)
  for (const key in defaults) {
    const value = defaults[key]
    if (!(key in target)) {
      target[key] = value
      continue
    }
    const over = target[key]
    if (isNull(over) && !options.keepNulls) delete target[key]
    else if (isTable(over)) {
      if (isTable(value)) fillTable(over, value, join(path, key), forKey(chart, key, options))
      else if (!isNull(value)) options.warn(`warning: skipped value for ${path}.${key}: Not a table.`)
    }
  }
}

// A subchart's own defaults are not laid under yet: a null must survive until they are.
function forKey(chart: ValuesOwner, key: string, options: CoalesceOptions): CoalesceOptions {
  return chart.dependencies.some(({ name }) => name === key) ? { ...options, keepNulls: true } : options
}

function coalesceDependencies(chart: ValuesOwner, target: Values, prefix: string, options: CoalesceOptions): Values {
  for (const subchart of chart.dependencies) {
    const below = subchart.name in target ? target[subchart.name] : newValues()
    if (!isTable(below)) {
      const problem = `type mismatch on ${subchart.name}: a map is expected, this is ${options.show(below)}`
      throw new LadingError('values.invalid', problem, { chart: subchart.name, field: subchart.name })
    }
    const path = join(prefix, chart.name)
    coalesceGlobals(below, target, path, options)
    target[subchart.name] = coalesce(subchart, below, path, options)
  }
  return target
}

function coalesceGlobals(target: Values, source: Values, prefix: string, options: CoalesceOptions): void {
  const into = 'global' in target ? target['global'] : newValues()
  if (!isTable(into)) {
    options.warn('warning: skipping globals because destination global is not a table.')
    return
  }
  const from = 'global' in source ? source['global'] : newValues()
  if (!isTable(from)) {
    options.warn('warning: skipping globals because source global is not a table.')
    return
  }
  for (const key in from) addGlobal(into, key, from[key], prefix, options)
  target['global'] = into
}

function addGlobal(into: Values, key: string, value: GoValue, prefix: string, options: CoalesceOptions): void {
  const own = into[key]
  if (!isTable(value)) {
    if (isTable(own)) options.warn(`key ${key} is table. Skipping`)
    else into[key] = value
    return
  }
  const copy: Values = Object.assign(newValues(), value)
  if (!(key in into)) into[key] = copy
  else if (isTable(own)) into[key] = fillTable(copy, own, join(prefix, key), { ...options, keepNulls: true })
  else options.warn(`Conflict: cannot merge map onto non-map for ${stringifyJson(key)}. Skipping.`)
}

function fillTable(target: Values, source: Values, prefix: string, options: CoalesceOptions): Values {
  const given = new Set(Object.keys(source).filter((key) => !isNull(source[key])))
  for (const key in target) if (isNull(target[key])) source[key] = null
  for (const key in source) {
    const value = source[key]
    const path = join(prefix, key)
    if (!(key in target)) {
      target[key] = value
      continue
    }
    const over = target[key]
    if (isNull(over) && !options.keepNulls && given.has(key)) delete target[key]
    else if (isTable(value)) {
      if (isTable(over)) fillTable(over, value, path, options)
      else options.warn(`warning: cannot overwrite table with non table for ${path} (${options.show(value)})`)
    } else if (isTable(over) && !isNull(value)) {
      options.warn(`warning: destination for ${path} is a table. Ignoring non-table value (${options.show(value)})`)
    }
  }
  return target
}

function isNull(value: GoValue): boolean {
  return value === null || value === undefined
}

function join(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`
}

import type { GoValue } from '../../gotemplate/value.ts'
import { isTable, type Values } from './values.ts'

/** The map at a dotted path; otherwise the part of the path at which there is none. */
export function tableAt(values: Values, path: string): { table: Values } | { missing: string } {
  let table = values
  for (const part of path.split('.')) {
    const next = table[part]
    if (!isTable(next)) return { missing: part }
    table = next
  }
  return { table }
}

/** The value at a dotted path that is no map; undefined where there is none. */
export function scalarAt(values: Values, path: string): GoValue {
  const dot = path.lastIndexOf('.')
  const found = dot < 0 ? { table: values } : tableAt(values, path.slice(0, dot))
  if (!('table' in found)) return undefined
  const value = found.table[path.slice(dot + 1)]
  return isTable(value) ? undefined : value
}

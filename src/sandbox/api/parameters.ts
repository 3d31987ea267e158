import { stringifyJson } from '../../core/index.ts'
import { badRequest } from '../status-error.ts'

/** A switch of a query: given at all it is on, unless it says `false` or `0`; undefined if it is not given. */
export function switchOf(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name)
  return value === null ? undefined : value.toLowerCase() !== 'false' && value !== '0'
}

/** A whole number of a query; undefined if it is not given. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  if (!/^[-+]?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing ${stringifyJson(value)}: invalid syntax`)
  return Number(value)
}

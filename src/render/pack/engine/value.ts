import { isRecord, stringifyJson } from '../../../core/index.ts'

/** What ends a template from within a filter or a function: MiniJinja cannot be thrown through. */
export class TemplateFailure extends Error {}

/** A value of a template as plain data: maps become objects, and what is undefined null. */
export function plain(value: unknown): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item)]))
  }
  if (Array.isArray(value)) return value.map(plain)
  return value === undefined ? null : value
}

/** A text as a template prints it. */
export function display(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : inner(value)
}

function inner(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'string') return stringifyJson(value)
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`
  const entries = value instanceof Map ? [...value] : isRecord(value) ? Object.entries(value) : undefined
  if (entries !== undefined)
    return `{${entries.map(([key, item]) => `${stringifyJson(key)}: ${inner(item)}`).join(', ')}}`
  return `${value as number | boolean | bigint}`
}

/** An argument that has to be a text. */
export function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return `${value}`
  throw new TemplateFailure(`${what} wants a text, this is ${kindOf(value)}`)
}

/** An argument that has to be a number. */
export function number(value: unknown, what: string): number {
  if (typeof value === 'number') return value
  throw new TemplateFailure(`${what} wants a number, this is ${kindOf(value)}`)
}

/** An argument that has to be a count. */
export function count(value: unknown, what: string): number {
  const found = number(value, what)
  if (Number.isSafeInteger(found) && found >= 0) return found
  throw new TemplateFailure(`${what} wants a whole number, this is ${found}`)
}

/** An argument that has to be a list. */
export function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new TemplateFailure(`${what} wants a list, this is ${kindOf(value)}`)
}

/** An argument that has to be a map. */
export function map(value: unknown, what: string): Map<string, unknown> {
  if (value instanceof Map) return value as Map<string, unknown>
  throw new TemplateFailure(`${what} wants a map, this is ${kindOf(value)}`)
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'undefined'
  if (Array.isArray(value)) return 'a list'
  return value instanceof Map ? 'a map' : `a ${typeof value}`
}

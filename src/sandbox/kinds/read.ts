import { isRecord } from '../../core/index.ts'

/** A part of an object, as rules read and complete it. */
export type Part = Record<string, unknown>

/** The structs of a list field; none when it is absent. */
export function partsOf(value: unknown, field: string): Part[] {
  const list = isRecord(value) ? value[field] : undefined
  return Array.isArray(list) ? (list as Part[]) : []
}

/** The struct at a field, put there when it is missing. */
export function ensurePart(value: Part, field: string): Part {
  const known = value[field]
  if (isRecord(known)) return known
  const made: Part = {}
  value[field] = made
  return made
}

/** Sets the fields that are not set. */
export function fill(value: Part, defaults: Part): void {
  for (const field in defaults) value[field] ??= defaults[field]
}

/** The text at a field, empty when there is none. */
export function textOf(value: unknown, field: string): string {
  const text = isRecord(value) ? value[field] : undefined
  return typeof text === 'string' ? text : ''
}

/** The number at a field, if there is one. */
export function numberOf(value: unknown, field: string): number | undefined {
  const number = isRecord(value) ? value[field] : undefined
  return typeof number === 'number' ? number : undefined
}

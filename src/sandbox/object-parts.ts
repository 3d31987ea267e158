import { isRecord } from '../core/index.ts'

/** The map at a path of an object; an empty one, that belongs to nothing, when there is none. */
export function partOf(object: unknown, ...path: readonly string[]): Record<string, unknown> {
  let at: unknown = object
  for (const key of path) at = isRecord(at) ? at[key] : undefined
  return isRecord(at) ? at : {}
}

/** A list of maps; empty when it is not there. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** A text; empty when it is not there. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A number, or what stands for it when there is none. */
export function number(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

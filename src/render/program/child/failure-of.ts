import { deniedCode } from './denial.ts'
import type { ProgramFailure } from './messages.ts'

/** What was thrown, as data; where something was denied on the way, that. */
export function failureOf(thrown: unknown): ProgramFailure {
  const error = denialIn(thrown, 0) ?? thrown
  if (!(error instanceof Error)) return { name: 'Error', message: `it threw ${textOf(error)}` }
  const { name, message, code, permission, resource } = error as unknown as Record<string, unknown>
  // What failed is said by the error that was denied; where, by the one that reached the program.
  const { stack } = thrown instanceof Error && error !== thrown ? thrown : error
  return {
    name: String(name),
    message: String(message),
    ...texts({ stack, code, permission, resource }),
  }
}

function denialIn(error: unknown, depth: number): unknown {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (code === deniedCode || code === 'ERR_ACCESS_DENIED') return error
  const inner = Array.isArray(errors) ? [cause, ...(errors as unknown[])] : [cause]
  return inner.map((each) => denialIn(each, depth + 1)).find((each) => each !== undefined)
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : String(value)
  } catch {
    return 'something without a text'
  }
}

function texts<Key extends string>(fields: Record<Key, unknown>): Partial<Record<Key, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string')) as Partial<
    Record<Key, string>
  >
}

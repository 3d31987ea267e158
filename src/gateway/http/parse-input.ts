import type { z } from 'zod'
import { LadingError } from '../../core/index.ts'

/** Checks a part of a request; the error names each wrong field. */
export function parseInput<Value>(schema: z.ZodType<Value> | undefined, part: string, value: unknown): Value {
  if (schema === undefined) return undefined as Value
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => ({ field: [part, ...path].join('.'), message }))
  const sentence = problems.map(({ field, message }) => `${field}: ${lowered(message)}`).join('; ')
  throw new LadingError('request.invalid', sentence, { problems })
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}

import { z } from 'zod'
import { errorRow, type LadingError, toLadingError } from '../../core/index.ts'

/** An error as RFC 9457 writes it, with what the error table knows. */
export const problemSchema = z
  .object({
    type: z.string().describe('Names the kind of error: urn:lading:error:CODE.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('The id of the request, as in the log.'),
    code: z.string(),
    retryable: z.boolean(),
    next: z.string().describe('What to do about it.'),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Problem' })

/** An error as a problem. */
export type Problem = z.infer<typeof problemSchema>

/** The problem that a failure is told as. What nobody expected is told without its text, which may hold anything. */
export function problemOf(failure: unknown, requestId: string): Problem {
  const error = toLadingError(failure)
  const { status, next, retryable } = errorRow(error.code)
  const isInternal = error.code === 'internal'
  return {
    type: `urn:lading:error:${error.code}`,
    title: error.code,
    status,
    detail: isInternal ? `the gateway failed; its log has the reason under the request id ${requestId}` : error.message,
    instance: `urn:lading:request:${requestId}`,
    code: error.code,
    retryable,
    next,
    details: isInternal ? {} : plainDetails(error),
  }
}

function plainDetails(error: LadingError): Record<string, unknown> {
  const { details } = error.toJSON()
  return Object.fromEntries(
    Object.entries(details as Record<string, unknown>).filter(([, value]) => value !== undefined),
  )
}

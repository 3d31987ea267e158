import type { z } from 'zod'
import type { Job } from './job.ts'
import { jobSchemas } from './job-schema.ts'
import type { JobOperation } from './job-operations.ts'

/** A job as a store read it, before its plan, outputs and error are known to be what they should be. */
export interface StoredJob extends Omit<Job, 'type' | 'operation' | 'plan' | 'outputs'> {
  readonly type: string
  readonly operation: string
  readonly plan: unknown
  readonly outputs?: unknown
}

/**
 * Checks what a store read against the job's operation. A job that is not what its operation needs has the state `unknown` and an
 * error that names the job and the field; runners end it as failed.
 */
export function parseJob(stored: StoredJob): Job {
  const problem = problemOf(stored)
  if (problem === undefined) return stored as unknown as Job
  const error = { code: 'job.unreadable', message: `job ${stored.id} cannot be read: ${problem}` } as const
  const { outputs: _, ...rest } = stored
  return { ...rest, state: 'unknown', plan: {}, error } as unknown as Job
}

function problemOf({ type, operation, plan, outputs }: StoredJob): string | undefined {
  if (!isOperation(operation)) return `operation: ${operation} is not known`
  const schema = jobSchemas[operation]
  if (schema.type !== type) return `type: ${type} has no operation ${operation}`
  return (
    mistakeIn('plan', schema.plan, plan) ??
    (outputs === undefined ? undefined : mistakeIn('outputs', schema.outputs, outputs))
  )
}

function mistakeIn(name: string, schema: z.ZodType, value: unknown): string | undefined {
  if (value === undefined) return `${name}: it is missing, or encrypted with another key`
  const [issue] = schema.safeParse(value).error?.issues ?? []
  return issue === undefined ? undefined : `${[name, ...issue.path].join('.')}: ${issue.message}`
}

function isOperation(operation: string): operation is JobOperation {
  return Object.hasOwn(jobSchemas, operation)
}

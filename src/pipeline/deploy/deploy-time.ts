import type { Job } from '../jobs/job.ts'
import type { DeployPlan } from './deploy-plan.ts'

/** What is left of a job after its operation gave up: to say what was not ready, with events and logs, and to mark the revision. */
const marginMs = 30_000

/** The limit of a deploy job whose operation may take so long. */
export function deployJobLimit(deployTimeoutMs: number): number {
  // As much again before the operation: connecting, reading the artifact, planning.
  return deployTimeoutMs + 2 * marginMs
}

/** How long the operation of a job may take: as long as the plan allows, and never so long that the job's own limit ends it first. */
export function operationLimit(
  { timeoutMs }: Pick<Job, 'timeoutMs'>,
  { timeout_ms: wanted = Infinity }: Pick<DeployPlan, 'timeout_ms'>,
  elapsedMs: number,
): number {
  const margin = Math.min(marginMs, timeoutMs / 4)
  return Math.max(1, Math.min(wanted, Math.floor(timeoutMs - elapsedMs - margin)))
}

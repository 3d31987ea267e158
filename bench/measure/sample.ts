/** One measured run. */
export interface Sample {
  readonly ms: number
  /** Time on a processor of what was measured, where it is known. */
  readonly cpuMs?: number
  /** Most memory that the process held, where it is known. */
  readonly peakBytes?: number
}

/** A run that did not succeed, and why: a result too. */
export interface Failure {
  readonly failure: string
}

/** What one round gave for one row. */
export type Outcome = Sample | Failure

/** Times one piece of work of this process. */
export async function timed(work: () => Promise<void>): Promise<Sample> {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  return { ms, cpuMs: (user + system) / 1000 }
}

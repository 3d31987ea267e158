import { type Clock, monotonicNow, stringifyJson } from '../../core/index.ts'
import type { SQLInputValue } from 'node:sqlite'

/** Runs one statement and gives how many rows it changed. */
export type Run = (sql: string, ...values: SQLInputValue[]) => number

/** How often a job may lose its runner before it is given up. */
const maxLost = 3

/**
 * The longest that a runner has a job without renewing its lease. Leases are kept on the machine's monotonic scale, which begins anew when the
 * machine is restarted: one that would end later than this is from before that.
 */
export const maxLeaseMs = 300_000

/** Those that an older Lading wrote know only the time of day. */
const leaseOver = '(lease_ends <= ? or lease_ends > ? or (lease_ends is null and lease_until <= ?))'

/** Moves on what time or another job has decided: leases that ran out, jobs that are due, that wait in vain or that nobody wants. */
export function expireJobs(run: Run, clock: Clock, now: number): void {
  const machine = monotonicNow(clock)
  const given = stringifyJson({ code: 'job.lost', message: `${maxLost} runners went away while they ran this job` })
  run(
    `update jobs set state = 'failed', error = ?, finished_at = ?, worker = null, lease_until = null, lease_ends = null, fence = fence + 1,
     lost = lost + 1 where state = 'in-progress' and ${leaseOver} and lost + 1 >= ?`,
    given,
    now,
    machine,
    machine + maxLeaseMs,
    now,
    maxLost,
  )
  run(
    `update jobs set state = 'available', worker = null, lease_until = null, lease_ends = null, fence = fence + 1, lost = lost + 1
     where state = 'in-progress' and ${leaseOver}`,
    machine,
    machine + maxLeaseMs,
    now,
  )
  // Also one whose runner went away, or gave it back, before it heard of it: nobody may begin it again.
  run(
    `update jobs set state = 'cancelled', error = ?, finished_at = ?
     where state in ('queued', 'available') and cancel_requested = 1`,
    stringifyJson({ code: 'cancelled', message: 'the job was cancelled while no runner had it' }),
    now,
  )
  const vain = `select id from jobs where state in ('failed', 'timed-out', 'not-attempted', 'cancelled')`
  const error = stringifyJson({ code: 'job.not-attempted', message: 'the job that it waits for did not end well' })
  // One after another may wait for a job that was given up just now.
  while (
    run(
      `update jobs set state = 'not-attempted', error = ?, finished_at = ? where state in ('queued', 'available') and after_id in (${vain})`,
      error,
      now,
    ) > 0
  );
  run(
    `update jobs set state = 'available' where state = 'queued' and due_at <= ? and (after_id is null or ${afterFinished})`,
    now,
  )
}

/** Whether the job that another waits for has finished. */
export const afterFinished = `after_id in (select id from jobs where state = 'finished')`

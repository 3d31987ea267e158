import { type Context, toLadingError } from '../../core/index.ts'
import { readSchedule } from '../config/read-schedule.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { DeployPlan } from './deploy-plan.ts'

/** A component that is looked at for drift on a schedule. */
export interface DriftWatch {
  /** As crontab writes it, in UTC. */
  readonly schedule: string
  readonly plan: DeployPlan
  readonly timeoutMs: number
  readonly maxRetries?: number
}

/**
 * Enqueues a look for drift each time one is due, beside deploys: one for each time of the schedule, however many runners keep it, and
 * none while one of the component still waits.
 */
export async function scheduleDrift(
  store: Pick<JobStore, 'enqueue'>,
  watches: readonly DriftWatch[],
  ctx: Context,
): Promise<void> {
  await Promise.all(watches.map((watch) => scheduleOne(store, watch, ctx)))
}

async function scheduleOne(store: Pick<JobStore, 'enqueue'>, watch: DriftWatch, ctx: Context): Promise<void> {
  const { schedule, plan, timeoutMs, maxRetries = 0 } = watch
  const times = readSchedule(schedule)
  const group = driftGroup(plan)
  for (;;) {
    const now = ctx.clock.now()
    const due = times.next(now)
    try {
      await ctx.clock.sleep(due - now, ctx.signal)
    } catch {
      return
    }
    try {
      const job = {
        type: 'kubernetes-manifest-deploy',
        operation: 'detect-drift',
        group,
        timeoutMs,
        maxRetries,
        unique: `${group} ${new Date(due).toISOString()}`,
      } as const
      await store.enqueue({ ...job, plan })
    } catch (error) {
      // A store that is busy or full now may do the next time.
      ctx.log.error(`the look for drift of ${plan.component_name} was left out`, {
        error: toLadingError(error).message,
      })
    }
  }
}

/** The group of a component's deploys: one at a time. */
export function deployGroup({ component_name: name, kubernetes_manifest: { namespace } }: DeployPlan): string {
  return `deploy/${namespace}/${name}`
}

/** The group of the looks for drift, so that none waits for a deploy. */
export function driftGroup({ component_name: name, kubernetes_manifest: { namespace } }: DeployPlan): string {
  return `drift/${namespace}/${name}`
}

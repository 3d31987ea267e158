import type { Context } from '../../core/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { Intent } from '../intent.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { Hook } from '../hooks/parse-hook.ts'
import { inventoryBefore } from '../record/inventory.ts'
import type { Planned } from '../plan/make-plan.ts'
import type { Plan } from '../plan.ts'
import type { HookRecord, HookRun, PendingState, ReleaseRecord } from '../record/record.ts'
import { nextLabels } from '../storage/release-labels.ts'

/** The revision as it is written before anything else is: under way, with everything that it may touch. */
export function pendingRecord(
  intent: Intent,
  { desired, plan }: Planned,
  history: ReleaseHistory,
  options: DeployOptions,
  timeoutMs: number,
  ctx: Context,
): ReleaseRecord {
  const now = new Date(ctx.clock.now()).toISOString()
  return {
    ...intent.release,
    version: plan.revision,
    state: pendingState(intent, plan, now, timeoutMs),
    pack: intent.source,
    values: intent.values,
    ...(intent.userValues === undefined ? {} : { userValues: intent.userValues }),
    valuesProvenance: intent.provenance,
    manifest: desired.manifest,
    hooks: desired.hooks.map((hook) => hookRecord(hook, undefined)),
    inventory: inventoryBefore(desired.objects, history.inventory),
    labels: nextLabels(history.current?.record.labels, options.labels),
    createdAt: now,
    updatedAt: now,
    ...(intent.notes === undefined ? {} : { notes: intent.notes }),
    description: options.description ?? describe(intent),
  }
}

/** A hook as the record keeps it. */
export function hookRecord({ object, phases, weight }: Hook, lastRun: HookRun | undefined): HookRecord {
  return { object, phases, weight, ...(lastRun === undefined ? {} : { lastRun }) }
}

function pendingState(intent: Intent, plan: Plan, startedAt: string, timeoutMs: number): PendingState {
  const common = { started_at: startedAt, timeout: Math.ceil(timeoutMs / 1000) }
  switch (intent.operation) {
    case 'install':
      return { status: 'pending-install', ...common }
    case 'upgrade':
      return { status: 'pending-upgrade', ...common, previous_version: plan.previous }
    case 'rollback':
      return { status: 'pending-rollback', ...common, target_version: intent.target ?? 0 }
  }
}

function describe(intent: Intent): string {
  switch (intent.operation) {
    case 'install':
      return 'Install complete'
    case 'upgrade':
      return 'Upgrade complete'
    case 'rollback':
      return `Rollback to ${intent.target}`
  }
}

import type { ReleaseState, ReleaseStatus } from '../../record/record.ts'

/** The statuses that Helm knows. */
export type HelmStatus =
  | 'unknown'
  | 'deployed'
  | 'uninstalled'
  | 'superseded'
  | 'failed'
  | 'uninstalling'
  | 'pending-install'
  | 'pending-upgrade'
  | 'pending-rollback'

/** Helm pends for as long as its command runs; five minutes is its default timeout. */
const helmTimeout = 300

/** The status that Helm shows for a state. */
export function helmStatus(state: ReleaseState): HelmStatus {
  const status = state.status === 'recovering' ? state.from_status : state.status
  return status === 'pending-uninstall' ? 'uninstalling' : status
}

/** The status that a list shows for Helm's. */
export function statusOfHelm(status: string | undefined): ReleaseStatus | 'unknown' {
  switch (status) {
    case 'uninstalling':
      return 'pending-uninstall'
    case 'deployed':
    case 'uninstalled':
    case 'superseded':
    case 'failed':
    case 'pending-install':
    case 'pending-upgrade':
    case 'pending-rollback':
      return status
    default:
      return 'unknown'
  }
}

/** What a release that Helm wrote says of its state. */
export interface HelmFacts {
  readonly status: string
  readonly version: number
  readonly at: string
  readonly description: string
  readonly rollbackRevision?: number
}

/** The state of a revision that Helm wrote. */
export function stateOfHelm(facts: HelmFacts): ReleaseState {
  const { version, at, description } = facts
  const pending = { started_at: at, timeout: helmTimeout }
  const status = statusOfHelm(facts.status)
  switch (status) {
    case 'deployed':
    case 'superseded':
    case 'uninstalled':
      return { status }
    case 'pending-install':
    case 'pending-uninstall':
      return { status, ...pending }
    case 'pending-upgrade':
      return { status, ...pending, previous_version: Math.max(1, version - 1) }
    case 'pending-rollback':
      return { status, ...pending, target_version: facts.rollbackRevision ?? Math.max(1, version - 1) }
    case 'failed':
    case 'recovering':
    case 'unknown':
      return { status: 'failed', reason: description || `Helm says ${facts.status}`, recoverable: true, failed_at: at }
  }
}

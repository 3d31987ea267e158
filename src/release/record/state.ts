import { LadingError } from '../../core/index.ts'
import type { PendingState, ReleaseRecord, ReleaseState, ReleaseStatus } from './record.ts'

/** The only transitions of a revision; everything else is a defect. */
const transitions: Readonly<Record<ReleaseStatus, readonly ReleaseStatus[]>> = {
  'pending-install': ['deployed', 'failed', 'recovering'],
  'pending-upgrade': ['deployed', 'failed', 'recovering'],
  'pending-rollback': ['deployed', 'failed', 'recovering'],
  'pending-uninstall': ['uninstalled', 'failed', 'recovering'],
  deployed: ['superseded', 'pending-uninstall', 'deployed'],
  superseded: ['pending-uninstall'],
  failed: ['pending-uninstall', 'superseded'],
  uninstalled: [],
  recovering: ['failed', 'deployed', 'uninstalled', 'recovering'],
}

/** Whether a revision may go from one status to the other. */
export function mayBecome(from: ReleaseStatus, to: ReleaseStatus): boolean {
  return transitions[from].includes(to)
}

/** The record in its next state. A revision that a newer one supersedes keeps the time at which it was deployed. */
export function transition(record: ReleaseRecord, state: ReleaseState, now: string): ReleaseRecord {
  if (!mayBecome(record.state.status, state.status)) {
    const { name, namespace, version } = record
    const message = `revision ${version} of ${namespace}/${name} cannot go from ${record.state.status} to ${state.status}`
    throw new LadingError('internal', message, { name, namespace, version })
  }
  return { ...record, state, updatedAt: state.status === 'superseded' ? record.updatedAt : now }
}

/** Whether an operation is under way, or was when its process ended. */
export function isPending(state: ReleaseState): state is PendingState {
  return state.status.startsWith('pending-')
}

/** Whether an operation has been under way for longer than its own timeout, so that nobody can still be working on it. */
export function isStale(state: ReleaseState, nowMs: number): boolean {
  if (!isPending(state)) return false
  return nowMs > Date.parse(state.started_at) + state.timeout * 1000
}

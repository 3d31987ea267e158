import { describe, expect, it } from 'vitest'
import type { ReleaseRecord, ReleaseState, ReleaseStatus } from './record.ts'
import { isStale, mayBecome, transition } from './state.ts'

const at = '2026-01-02T03:04:05.000Z'
const statuses: readonly ReleaseStatus[] = [
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
  'pending-uninstall',
  'deployed',
  'superseded',
  'failed',
  'uninstalled',
  'recovering',
]

describe('the state of a revision', () => {
  it('goes from pending to good or failed, from good to superseded, and never back', () => {
    const table = Object.fromEntries(
      statuses.map((from) => [from, statuses.filter((to) => mayBecome(from, to)).join(' ')]),
    )
    expect(table).toEqual({
      'pending-install': 'deployed failed recovering',
      'pending-upgrade': 'deployed failed recovering',
      'pending-rollback': 'deployed failed recovering',
      'pending-uninstall': 'failed uninstalled recovering',
      deployed: 'pending-uninstall deployed superseded',
      superseded: 'pending-uninstall',
      failed: 'pending-uninstall superseded',
      uninstalled: '',
      recovering: 'deployed failed uninstalled recovering',
    })
  })

  it('keeps the time at which it was deployed when a newer revision supersedes it', () => {
    const deployed = { state: { status: 'deployed' }, updatedAt: at } as ReleaseRecord
    expect(transition(deployed, { status: 'superseded' }, '2027-01-01T00:00:00.000Z').updatedAt).toBe(at)
  })

  it('cannot be changed in a way that is not in the table', () => {
    const record = { name: 'shop', namespace: 'web', version: 3, state: { status: 'uninstalled' } } as ReleaseRecord
    expect(() => transition(record, { status: 'deployed' }, at)).toThrow(
      'revision 3 of web/shop cannot go from uninstalled to deployed',
    )
  })

  it('is stale by its own timeout, not by everybody’s', () => {
    const pending = (timeout: number): ReleaseState => ({ status: 'pending-install', started_at: at, timeout })
    const tenMinutesLater = Date.parse(at) + 600_000
    expect(isStale(pending(300), tenMinutesLater)).toBe(true)
    expect(isStale(pending(3600), tenMinutesLater)).toBe(false)
    expect(isStale({ status: 'deployed' }, tenMinutesLater)).toBe(false)
  })
})

import type { ObjectRef } from '../../core/index.ts'
import type { FieldChange } from './diff-objects.ts'

/** What becomes of an object between two states of a release. */
export type ChangeType = 'added' | 'removed' | 'modified' | 'unchanged'

/** A field that is not as we left it; `before` is what we want there, `after` what is there. */
export interface DriftChange extends FieldChange {
  /** Who owns the field now, where managedFields tell. */
  readonly manager?: string
  /** When that manager last wrote. */
  readonly time?: string
}

/** How a live object differs from what we made it. */
export interface ObjectDrift {
  /** `modified` where what is ours was changed, `added` where others only added fields. */
  readonly state: 'none' | 'modified' | 'added' | 'missing'
  /** Changes of what is ours. */
  readonly changes: readonly DriftChange[]
  /** Fields that others added and that we do not want; `before` is the server's default, where there is one. */
  readonly added: readonly DriftChange[]
}

/** One object's part of a diff. */
export interface ObjectDiff {
  readonly ref: ObjectRef
  /** Our own change. */
  readonly change: ChangeType
  /** The fields of our own change; of what is added or removed, all of them. */
  readonly changes: readonly FieldChange[]
  /** Set for hooks, which run instead of being part of the release. */
  readonly hook?: true
  /** What others did to it; only known where the cluster was looked at. */
  readonly drift?: ObjectDrift
  /** What else is to say, for example that the object stays although it is removed. */
  readonly note?: string
}

/** Whether applying would change something, or something was changed behind our back. */
export function isDifferent({ change, drift }: ObjectDiff): boolean {
  return change !== 'unchanged' || isDrifted({ drift })
}

/** Whether others changed the object, added to it or removed it. */
export function isDrifted({ drift }: { readonly drift?: ObjectDrift | undefined }): boolean {
  return drift !== undefined && drift.state !== 'none'
}

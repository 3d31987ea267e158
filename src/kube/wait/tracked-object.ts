import { type KubeObject, objectId, type ObjectRef, refOf } from '../../core/index.ts'
import { isAlwaysReadyKind, type ObjectStatus } from '../../schema/index.ts'
import type { ObjectChange } from '../set/known-objects.ts'

/** What to wait for: a name, or an object as the API server gave it, in which case no older state of it counts. */
export type WaitTarget = ObjectRef | KubeObject

/** One object that is waited for, and what is known of it. */
export interface TrackedObject {
  readonly ref: ObjectRef
  /** As the caller had it from the API server, if he had. */
  readonly given: KubeObject | undefined
  /** As it was last seen, also after it was deleted. */
  last: KubeObject | undefined
  /** `unseen` until the first look at the cluster ended. */
  presence: 'unseen' | 'present' | 'absent'
  status: ObjectStatus
  /** A failure that may heal by itself, since when it lasts, and when it counts. */
  failing: HeldFailure | undefined
  /** How long a first status was waited for, once that is over. */
  silentMs: number
}

/** A failure that is given time to heal. */
export interface HeldFailure {
  readonly status: ObjectStatus
  readonly since: number
  readonly until: number
}

/** The targets as tracked objects, each object once. */
export function trackTargets(targets: readonly WaitTarget[]): TrackedObject[] {
  const tracked = new Map<string, TrackedObject>()
  for (const target of targets) {
    const ref = isObject(target) ? refOf(target) : target
    const given = isObject(target) && target.metadata.uid !== undefined ? target : undefined
    tracked.set(objectId(ref), {
      ref,
      given,
      last: given,
      presence: given !== undefined && staysTrue(ref) ? 'present' : 'unseen',
      status: { status: 'Unknown', message: 'not looked at yet' },
      failing: undefined,
      silentMs: 0,
    })
  }
  return [...tracked.values()]
}

/** Whether an object at hand may be checked without reading it again: nobody works on it, or its end is final. */
export function staysTrue(ref: ObjectRef): boolean {
  return isAlwaysReadyKind(ref) || (ref.group === 'batch' && ref.kind === 'Job')
}

/** Takes in a change; false when it is older than what the caller gave, so that it does not count. */
export function takeChange(tracked: TrackedObject, change: ObjectChange): boolean {
  if (change.type === 'deleted') {
    // A deletion that happened unseen brings the identity only.
    if (change.object.metadata.creationTimestamp !== undefined) tracked.last = change.object
    tracked.presence = 'absent'
    return true
  }
  tracked.presence = 'present'
  const { uid, generation = 0 } = change.object.metadata
  const given = tracked.given?.metadata
  if (given !== undefined && given.uid === uid && generation < (given.generation ?? 0)) return false
  tracked.last = change.object
  return true
}

function isObject(target: WaitTarget): target is KubeObject {
  return 'metadata' in target
}

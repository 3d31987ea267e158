import { isDeepStrictEqual } from 'node:util'
import {
  type Context,
  createMask,
  type KubeObject,
  type LadingEvent,
  type Mask,
  objectId,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import { keepPolicy, type SetObject } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import { desiredState } from './desired.ts'
import type { ReleaseName } from '../release-name.ts'
import { readHistoryAgain, type ReleaseHistory } from '../record/history.ts'
import { type ForeignOptions, foreignPolicyOf } from '../ownership/foreign-policy.ts'
import type { Content } from '../intent.ts'
import type { Ownership } from '../ownership.ts'
import { problemsError } from './refuse-plan.ts'
import { diffObjects, type FieldChange } from '../diff/diff-objects.ts'
import { diffHooks, diffPair } from '../diff/diff-revisions.ts'
import { type LastState, lastState, type LiveState, lookAtLive } from '../diff/look-at-live.ts'
import { isDifferent, isDrifted, type ObjectDiff } from '../diff/object-diff.ts'
import { dryRunObjects } from '../diff/dry-run-objects.ts'

/** What deploying something would change, and what others changed before. */
export interface ReleaseDiff {
  readonly release: ReleaseName
  /** The revision that it is compared with; absent if the release has none. */
  readonly revision?: number
  /** Whether there is a change of ours or a drift. */
  readonly different: boolean
  readonly drifted: boolean
  /** Objects in the order of the source, then what is removed, then hooks. */
  readonly objects: readonly ObjectDiff[]
}

/**
 * Compares three states of each object: what is desired now, what was desired last, and what is live. Our own change is the
 * difference of the two desires; what others did is told apart as drift. The server's defaults are on both sides of each
 * comparison, so they do not show. Writes nothing.
 */
export function diffRelease(
  engine: ReleaseEngine,
  content: Content,
  { onEvent, ...options }: ForeignOptions & OperationOptions,
  ctx: Context,
): Operation<ReleaseDiff> {
  return operation('diffRelease', () => diffing(engine, content, options, ctx), { onEvent })
}

async function* diffing(
  engine: ReleaseEngine,
  content: Content,
  options: ForeignOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, ReleaseDiff> {
  const { release } = content
  const ownership = engine.store.ownership(release)
  const mask = createMask()
  const history = await readHistoryAgain(engine.store, release, content.history, ctx)
  const desired = yield* desiredState(engine, release, content.objects, { ranBefore: false }, ctx)
  if (desired.problems.length > 0) throw problemsError(desired.problems)
  const record = history.current?.record
  const last = record === undefined ? { objects: [], unserved: [] } : await lastState(engine, record, ctx)
  const { states, metadata } = await lookAtLive(
    engine,
    release,
    last,
    history.inventory,
    { mask, foreign: foreignPolicyOf(options) },
    ctx,
  )
  const before = new Map(last.objects.map((object) => [object.id, object]))
  const changed = desired.objects.filter(({ id, hash }) => before.get(id)?.hash !== hash)
  const dryRuns = await dryRunObjects(engine, changed, desired.objects, release, ctx)

  const kept = desired.objects.map((wanted): ObjectDiff => {
    const old = before.get(wanted.id)
    const state = states.get(wanted.id)
    const ours =
      old?.hash === wanted.hash ? same(wanted) : ourChange(wanted, old, state, dryRuns.get(wanted.id), ownership, mask)
    return withState(ours, state)
  })
  const removed = removedObjects(desired.objects, last, history, ownership, mask).flatMap((diff): ObjectDiff[] => {
    const id = objectId(diff.ref)
    const state = states.get(id)
    const live = metadata.get(id)
    // A revision that failed may have left objects, or may never have made them.
    if (live === undefined && state === undefined) return []
    const note = live === undefined ? undefined : keepPolicy(live)
    return [withState({ ...diff, ...(note === undefined ? {} : { note: `stays: ${note}` }) }, state)]
  })
  const hooks = diffHooks(record?.hooks ?? [], desired.hooks, release.namespace, mask)
  const objects = [...kept, ...removed, ...hooks]
  return {
    release,
    ...(record === undefined ? {} : { revision: record.version }),
    different: objects.some(isDifferent),
    drifted: objects.some(isDrifted),
    objects,
  }
}

function same({ ref }: DesiredObject): ObjectDiff {
  return { ref, change: 'unchanged', changes: [] }
}

function withState(diff: ObjectDiff, state: LiveState | undefined): ObjectDiff {
  if (state === undefined) return diff
  const note = diff.note ?? state.note
  return { ...diff, drift: state.drift, ...(note === undefined ? {} : { note }) }
}

function ourChange(
  wanted: DesiredObject,
  old: DesiredObject | undefined,
  state: LiveState | undefined,
  outcome: SetObject | undefined,
  ownership: Ownership,
  mask: Mask,
): ObjectDiff {
  const { ref } = wanted
  const now = outcome?.object
  const base = state?.wanted ?? outcome?.live
  if (now === undefined || base === undefined) return byManifest(wanted, old, outcome, ownership, mask)
  const changes = withoutDrift(diffObjects(base, now, mask), state)
  const change = changes.length === 0 ? 'unchanged' : 'modified'
  const note = old === undefined ? { note: 'exists on the cluster and is not part of the release yet' } : {}
  return { ref, change, changes, ...note }
}

/** What the server cannot judge, or does not have yet, is compared as it is written. */
function byManifest(
  { object }: DesiredObject,
  old: DesiredObject | undefined,
  outcome: SetObject | undefined,
  ownership: Ownership,
  mask: Mask,
): ObjectDiff {
  const diff = diffPair(old && unmarked(old.object, ownership), unmarked(object, ownership), mask)
  const note = outcome?.error?.message ?? outcome?.reason
  return { ...diff, ...(note === undefined ? {} : { note }) }
}

/** A field that others changed and that we no longer want stays as they made it: that is no change of ours. */
function withoutDrift(changes: readonly FieldChange[], state: LiveState | undefined): FieldChange[] {
  const drifted = new Map((state?.drift.changes ?? []).map((change) => [change.path, change]))
  return changes.filter(({ path, after }) => {
    const theirs = drifted.get(path)
    return theirs === undefined || !isDeepStrictEqual(theirs.after, after)
  })
}

function removedObjects(
  desired: readonly DesiredObject[],
  last: LastState,
  history: ReleaseHistory,
  ownership: Ownership,
  mask: Mask,
): ObjectDiff[] {
  const ids = new Set(desired.map(({ id }) => id))
  const gone = last.objects.filter(({ id }) => !ids.has(id))
  for (const { id } of gone) ids.add(id)
  const leftOver = history.inventory.filter(({ ref }) => !ids.has(objectId(ref)))
  return [
    ...gone.map(({ object }) => diffPair(unmarked(object, ownership), undefined, mask)),
    ...leftOver.map(({ ref }): ObjectDiff => ({ ref, change: 'removed', changes: [] })),
  ]
}

/** The object as its source has it. */
function unmarked(object: KubeObject, { guard }: Ownership): KubeObject {
  const { annotations, labels, ...metadata } = object.metadata
  return {
    ...object,
    metadata: {
      ...metadata,
      ...without('labels', labels, guard.labels),
      ...without('annotations', annotations, guard.annotations),
    },
  }
}

function without(
  field: 'labels' | 'annotations',
  values: Readonly<Record<string, string>> = {},
  marks: Readonly<Record<string, string>> = {},
): { readonly [field: string]: Record<string, string> } {
  const kept = Object.entries(values).filter(([name, value]) => marks[name] !== value)
  return kept.length === 0 ? {} : { [field]: Object.fromEntries(kept) }
}

import {
  type Context,
  type KubeObject,
  type Mask,
  type ObjectMeta,
  objectId,
  type ObjectRef,
  runConcurrently,
} from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import { type ForeignPolicy, isIgnored, isIgnoredAnnotation, mayHaveForeign, placeObjects } from '../../kube/index.ts'
import { crdPolicyOf } from '../ownership/crd-policy.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { DesiredObject } from '../record/desired-object.ts'
import type { ReleaseName } from '../release-name.ts'
import { isAsLeft } from '../record/inventory.ts'
import { liveMetadata } from '../ownership/live-metadata.ts'
import { objectHash } from '../record/object-hash.ts'
import { markOwned } from '../ownership/ownership.ts'
import type { Ownership } from '../ownership.ts'
import type { InventoryEntry, ReleaseRecord } from '../record/record.ts'
import { isExpired } from '../record/expired-job.ts'
import { attributeDrift } from './attribute-drift.ts'
import { diffObjects, fieldStep } from './diff-objects.ts'
import { type Additions, findAdditions } from './find-additions.ts'
import type { ObjectDrift } from './object-diff.ts'
import { dryRunObjects } from './dry-run-objects.ts'

/** What a stored revision wants on the cluster. */
export interface LastState {
  readonly objects: readonly DesiredObject[]
  /** Objects of kinds that the cluster does not serve any more. */
  readonly unserved: readonly ObjectRef[]
}

/** What is known of one live object in the light of what it was last made. */
export interface LiveState {
  readonly drift: ObjectDrift
  /** The object as our last desire would have it now, with the server's defaults; absent where it is the live one. */
  readonly wanted?: KubeObject
  /** Why it could not be compared. */
  readonly note?: string
}

/** The objects of a stored revision as they were applied. */
export async function lastState(
  { cluster, store }: ReleaseEngine,
  record: ReleaseRecord,
  ctx: Context,
): Promise<LastState> {
  const { placed, failures } = await placeObjects(cluster, readObjects(record.manifest), record.namespace, ctx)
  const ownership = store.ownership(record)
  const objects = placed.flatMap(({ object, ref, id, served }): DesiredObject[] => {
    const policy = crdPolicyOf(object)
    if (policy === 'external') return []
    const own = policy === 'shared' ? object : markOwned(object, ownership)
    return [{ object: own, ref, id, served, hash: objectHash(own) }]
  })
  return { objects, unserved: failures.map(({ ref }) => ref) }
}

/** How live objects are compared. */
export interface LookOptions {
  readonly mask: Mask
  /** Which fields of others count as added. */
  readonly foreign: ForeignPolicy
}

/**
 * Compares live objects with what they were last made. What a LIST proves to be as it was left, without a field of others, costs no
 * request of its own; of the others the server says in a dry run what our last desire would make of them, and the difference is
 * what others did.
 */
export async function lookAtLive(
  engine: ReleaseEngine,
  release: ReleaseName,
  last: LastState,
  inventory: readonly InventoryEntry[],
  { mask, foreign }: LookOptions,
  ctx: Context,
): Promise<{ readonly states: ReadonlyMap<string, LiveState>; readonly metadata: ReadonlyMap<string, ObjectMeta> }> {
  const refs = [...last.objects.map(({ ref }) => ref), ...inventory.map(({ ref }) => ref)]
  const metadata = await liveMetadata(engine.cluster, refs, ctx)
  const entries = new Map(inventory.map((entry) => [objectId(entry.ref), entry]))
  const states = new Map<string, LiveState>(last.unserved.map((ref) => [objectId(ref), missing]))
  const ownership = engine.store.ownership(release)
  // Fields that were there before our last apply are told by who owns them alone.
  const isAddedTo = ({ object }: DesiredObject, meta: ObjectMeta): boolean =>
    mayHaveForeign(meta, object, ownership.fieldManager, foreign)
  const unproven: DesiredObject[] = []
  for (const wanted of last.objects) {
    const meta = metadata.get(wanted.id)
    const entry = entries.get(wanted.id)
    if (meta === undefined) states.set(wanted.id, isExpired(wanted.object, wanted.hash, entry) ? asLeft : missing)
    else if (entry?.hash === wanted.hash && isAsLeft(entry, meta) && !isAddedTo(wanted, meta))
      states.set(wanted.id, asLeft)
    else unproven.push(wanted)
  }
  const dryRuns = await dryRunObjects(engine, unproven, last.objects, release, ctx)
  const look = async ({ id, object: desired }: DesiredObject, inner: Context): Promise<void> => {
    const outcome = dryRuns.get(id)
    const { object, live, error, reason } = outcome ?? {}
    if (object !== undefined && live !== undefined) {
      const found = await findAdditions(engine, { desired, wanted: object, live }, ownership, foreign, mask, inner)
      states.set(id, compared(object, live, found, ownership, { mask, foreign }))
    } else if (outcome?.action === 'created') states.set(id, missing)
    else
      states.set(id, { ...asLeft, note: `not compared: ${error?.message ?? reason ?? 'the server does not judge it'}` })
  }
  for await (const _ of runConcurrently(unproven, looksInFlight, look, ctx));
  for (const { id } of last.objects) {
    const { deletionTimestamp, finalizers = [] } = metadata.get(id) ?? {}
    if (deletionTimestamp === undefined) continue
    const held = finalizers.length === 0 ? '' : `, held by the finalizers ${finalizers.join(', ')}`
    states.set(id, { ...(states.get(id) ?? asLeft), note: `it is being deleted${held}` })
  }
  return { states, metadata }
}

const looksInFlight = 16

const asLeft: LiveState = { drift: { state: 'none', changes: [], added: [] } }
const missing: LiveState = { drift: { state: 'missing', changes: [], added: [] } }

function compared(
  wanted: KubeObject,
  live: KubeObject,
  { added, note }: Additions,
  ownership: Ownership,
  { mask, foreign }: LookOptions,
): LiveState {
  const marks = marksOf(ownership)
  // Objects that were installed by others do not carry our marks until we first write to them: that is nobody's change.
  const changes = diffObjects(wanted, live, mask).filter(({ path, after }) => after !== undefined || !marks.has(path))
  // What a usual controller makes of a field, of an aggregated ClusterRole's rules for example, would only be made again.
  const notes = new Set(
    Object.keys(live.metadata.annotations ?? {})
      .filter((name) => isIgnoredAnnotation(name, foreign))
      .map((name) => `.metadata.annotations${fieldStep(name)}`),
  )
  const theirs = attributeDrift(changes, live, ownership.fieldManager).filter(
    ({ path, manager }) => !notes.has(path) && (manager === undefined || !isIgnored(manager, foreign)),
  )
  const state = theirs.length > 0 ? 'modified' : added.length > 0 ? 'added' : 'none'
  return { drift: { state, changes: theirs, added }, wanted, ...(note === undefined ? {} : { note }) }
}

function marksOf({ guard }: Ownership): Set<string> {
  const at = (field: string, names: object = {}): string[] =>
    Object.keys(names).map((name) => `.metadata.${field}${fieldStep(name)}`)
  return new Set([...at('labels', guard.labels), ...at('annotations', guard.annotations)])
}

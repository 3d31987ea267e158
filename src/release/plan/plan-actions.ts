import {
  type Context,
  isLadingError,
  type KubeObject,
  type LadingEvent,
  type Mask,
  objectId,
  type ObjectMeta,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import {
  applySet,
  type ApplySetOptions,
  type Cluster,
  getMetadata,
  mayHaveForeign,
  type PlacedObject,
  readLiveIndex,
  type SetObject,
} from '../../kube/index.ts'
import { decideCrds } from '../ownership/crd-actions.ts'
import { CrdUsers, ownedRecords } from '../ownership/crd-use.ts'
import { deletionWaves } from './deletion-waves.ts'
import { tellUnrecorded } from './tell-unrecorded.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Desired } from './desired.ts'
import { type DesiredObject, placedSet } from '../record/desired-object.ts'
import type { ReleaseName } from '../release-name.ts'
import { diffObjects, type FieldChange, markByServer } from '../diff/diff-objects.ts'
import { diffReplaced } from '../diff/diff-replaced.ts'
import type { ForeignOptions } from '../ownership/foreign-policy.ts'
import type { ReleaseHistory } from '../record/history.ts'
import { appliedEntry, fingerprint, isAsLeft } from '../record/inventory.ts'
import { liveMetadata } from '../ownership/live-metadata.ts'
import { ownershipProof, writingAs } from '../ownership/ownership.ts'
import type { Ownership } from '../ownership.ts'
import type { PlanAction } from '../plan.ts'
import { homeOf, isHome } from './home-namespace.ts'
import { leaveUnpruned, planAbandoned, planCrdDeletes, planNamespaceDeletes, planPrune } from './plan-prune.ts'
import type { InventoryEntry } from '../record/record.ts'
import { isExpired, spentReason } from '../record/expired-job.ts'
import { ownedAction } from '../ownership/take-over.ts'
import { terminatingAction } from './terminating.ts'

/** How objects are judged. */
export interface JudgeOptions
  extends Pick<ApplySetOptions, 'conflicts' | 'replace' | 'adopt' | 'concurrency' | 'ask'>, ForeignOptions {
  readonly foreignFields?: 'keep' | 'remove'
  readonly takeOwnership?: boolean
  /** Delete CRDs although custom resources that the release does not own go with them. */
  readonly deleteCustomResources?: boolean
  /** Delete what the release no longer wants (default: true). */
  readonly prune?: boolean
  /** The release's namespace is created first if it does not exist. */
  readonly createNamespace?: boolean
  /** The release ends, so that its own namespace can go too where it is one of its objects. */
  readonly leavesHome?: boolean
  /** How values of Secrets are shown. */
  readonly mask?: Mask
}

/** What is to do, and what is known of the objects that need nothing. */
export interface PlannedActions {
  readonly actions: readonly PlanAction[]
  /** The inventory entries of unchanged objects, by id. */
  readonly unchanged: ReadonlyMap<string, InventoryEntry>
}

/** Works out what happens to each desired object, and to each that the release has and no longer wants. */
export async function* planActions(
  { cluster, store }: ReleaseEngine,
  release: ReleaseName,
  desired: Desired,
  history: ReleaseHistory,
  options: JudgeOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, PlannedActions> {
  const ownership = store.ownership(release)
  const { fieldManager, removeForeign } = writingAs(ownership, options)
  const isClean = (object: KubeObject, metadata: ObjectMeta): boolean =>
    removeForeign === undefined || !mayHaveForeign(metadata, object, fieldManager, removeForeign)
  const { proven, spent } = await provenUnchanged(cluster, desired, history, isClean, ctx)
  const { takeOwnership = false, deleteCustomResources = false } = options
  const changed = desired.objects.filter(({ id }) => !proven.has(id))
  const decided = await decideCrds(cluster, release, ownership, changed, takeOwnership, ctx)
  const objects = changed.filter(({ id }) => !decided.has(id))
  const judged = objects.length === 0 ? [] : yield* judge(cluster, objects, release, ownership, options, ctx)
  const byId = new Map(judged.map((outcome) => [objectId(outcome.ref), outcome]))
  const unseen = await unseenLive(cluster, judged, ctx)
  const claim = { release, ownership, isProven: ownershipProof(history), takeOwnership }
  yield* tellUnrecorded(release, history, ownership, judged)
  const unchanged = new Map<string, InventoryEntry>()
  const actions = desired.objects.map((wanted): PlanAction => {
    const { id, ref, hash } = wanted
    const entry = proven.get(id)
    if (entry !== undefined) {
      unchanged.set(id, entry)
      if (spent.has(id)) return { ref, action: 'unchanged', hash, liveVersion: null, reason: spentReason }
      const mark = entry.fingerprint === undefined ? {} : { liveFingerprint: entry.fingerprint }
      return { ref, action: 'unchanged', hash, liveVersion: entry.resourceVersion ?? null, ...mark }
    }
    const outcome = byId.get(id)
    const crd = decided.get(id)
    if (crd !== undefined) return { ref, hash, ...crd }
    const live = outcome?.live?.metadata ?? unseen.get(id)
    const judgement = { hash, ...actionOf(wanted, outcome, ownership, options.mask) }
    const owned = live === undefined ? judgement : ownedAction(judgement, wanted, live, claim)
    const isGoing = live?.deletionTimestamp !== undefined && owned.action !== 'conflict'
    const action = isGoing ? terminatingAction(owned, live) : owned
    if (action.action === 'unchanged' && outcome?.live !== undefined)
      unchanged.set(id, appliedEntry(wanted, outcome.live))
    return action
  })
  const required = await planRequired(cluster, desired, ctx)
  const stays = options.leavesHome === true ? undefined : release
  const unwanted = [
    ...(await planPrune(cluster, ownership, desired, history.inventory, stays, ctx)),
    ...(await planAbandoned(cluster, ownership, desired, history.abandoned, ctx)),
  ]
  const pruned = options.prune === false ? leaveUnpruned(unwanted) : unwanted
  // In the order in which they will be deleted.
  const left = deletionWaves(pruned, ({ ref }) => ref, history, release).flatMap(({ items }) => items)
  const users = new CrdUsers({ cluster, store }, release, ownedRecords(history))
  const all = await planCrdDeletes([...required, ...actions, ...left], users, deleteCustomResources, ctx)
  return { actions: await planNamespaceDeletes(cluster, release, all, ctx), unchanged }
}

/** What is known of live objects that the dry run did not show: whose they are comes before what the server says of a change. */
async function unseenLive(
  cluster: Cluster,
  judged: readonly SetObject[],
  ctx: Context,
): Promise<Map<string, ObjectMeta>> {
  const refs = judged
    .filter(({ action, error }) => action === 'skipped' || error?.code === 'kube.field-conflict')
    .map(({ ref }) => ref)
  const index = await readLiveIndex(cluster, refs, 'metadata', ctx)
  return new Map([...index].flatMap(([id, live]) => (live === null ? [] : [[id, live.metadata] as const])))
}

function liveVersionOf(outcome: SetObject | undefined): string | null {
  return outcome?.live?.metadata.resourceVersion ?? null
}

/**
 * The objects that a LIST proves to be as this release left them: the same desired hash as when they were last applied,
 * and nobody has written to them since. They cost no request of their own. Jobs that their time to live has removed are among them.
 */
async function provenUnchanged(
  cluster: Cluster,
  desired: Desired,
  { inventory, current }: ReleaseHistory,
  isClean: (object: KubeObject, live: ObjectMeta) => boolean,
  ctx: Context,
): Promise<{ proven: Map<string, InventoryEntry>; spent: Set<string> }> {
  const known = new Map(inventory.map((entry) => [objectId(entry.ref), entry]))
  // Of a revision that failed nobody knows whether its Jobs ended well.
  const good = new Map((current?.record.inventory ?? []).map((entry) => [objectId(entry.ref), entry]))
  const candidates = desired.objects.filter(({ id, hash }) => known.get(id)?.hash === hash)
  const live = await liveMetadata(
    cluster,
    candidates.map(({ ref }) => ref),
    ctx,
  )
  const proven = new Map<string, InventoryEntry>()
  const spent = new Set<string>()
  for (const { id, object, hash } of candidates) {
    const entry = known.get(id)
    const meta = live.get(id)
    if (entry === undefined) continue
    const done = good.get(id)
    if (meta !== undefined) {
      if (isAsLeft(entry, meta) && isClean(object, meta)) proven.set(id, entry)
    } else if (done !== undefined && isExpired(object, hash, done)) {
      spent.add(id)
      proven.set(id, done)
    }
  }
  return { proven, spent }
}

async function* judge(
  cluster: Cluster,
  objects: readonly PlacedObject[],
  release: ReleaseName,
  ownership: Ownership,
  {
    takeOwnership: _,
    leavesHome: __,
    deleteCustomResources: ___,
    prune: ____,
    mask: _____,
    createNamespace = false,
    ...options
  }: JudgeOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, readonly SetObject[]> {
  const dry = applySet(
    cluster,
    placedSet(createNamespace ? withNamespace(objects, release) : objects),
    { ...options, ...writingAs(ownership, options), dryRun: true, onError: 'continue' },
    ctx,
  )
  for (;;) {
    const next = await dry.next()
    if (next.done === true) return next.value.objects
    // What would happen is told by the plan itself.
    if (next.value.type === 'warning') yield next.value
  }
}

/** With the namespace in the set, objects of one that is yet to come are judged as far as they can be, and not refused. */
function withNamespace(objects: readonly PlacedObject[], release: ReleaseName): readonly PlacedObject[] {
  if (objects.some(({ ref }) => isHome(ref, release))) return objects
  const object = homeOf(release)
  const ref = refOf(object)
  return [{ object, ref, id: objectId(ref), served: true }, ...objects]
}

function actionOf(
  { ref, object: desired }: DesiredObject,
  outcome: SetObject | undefined,
  ownership: Ownership,
  mask: Mask | undefined,
): PlanAction {
  const liveVersion = liveVersionOf(outcome)
  if (outcome === undefined) return { ref, action: 'later', liveVersion, reason: 'not judged' }
  const { action, object, live, error, reason } = outcome
  const mark = live === undefined ? {} : { liveFingerprint: fingerprint(live.metadata) }
  const diff = (): FieldChange[] => {
    if (live === undefined || object === undefined) return []
    return action === 'replaced'
      ? diffReplaced(live, object, ownership, mask)
      : markByServer(diffObjects(live, object, mask), desired, object)
  }
  switch (action) {
    case 'created':
      return { ref, action: 'create', liveVersion: null }
    case 'unchanged':
      return { ref, action: 'unchanged', liveVersion, ...mark }
    case 'configured':
      return { ref, action: 'update', liveVersion, ...mark, changes: diff() }
    case 'replaced':
      return { ref, action: 'replace', liveVersion, ...mark, changes: diff() }
    case 'failed':
      return isLadingError(error, 'kube.field-conflict')
        ? {
            ref,
            action: 'conflict',
            liveVersion,
            conflicts: error.details.conflicts ?? [],
            reason: error.message,
            code: error.code,
          }
        : {
            ref,
            action: 'invalid',
            liveVersion,
            reason: error?.message ?? 'refused',
            code: error?.code ?? 'apply.failed',
          }
    case 'skipped':
    case 'deleted':
      return { ref, action: 'later', liveVersion, reason: reason ?? 'known after an earlier stage' }
  }
}

/** What has to be there: told as kept when it is, as invalid when it is not. */
async function planRequired(cluster: Cluster, { required }: Desired, ctx: Context): Promise<PlanAction[]> {
  return await Promise.all(
    required.map(async (ref): Promise<PlanAction> => {
      const live = await metadataOf(cluster, ref, ctx)
      if (live === undefined) {
        return { ref, action: 'invalid', liveVersion: null, reason: 'it is external, and has to be installed first' }
      }
      const mark = { liveVersion: live.metadata.resourceVersion ?? null, liveFingerprint: fingerprint(live.metadata) }
      return { ref, action: 'keep', ...mark, reason: 'it is external' }
    }),
  )
}

async function metadataOf(
  cluster: Cluster,
  ref: ObjectRef,
  ctx: Context,
): Promise<Awaited<ReturnType<typeof getMetadata>>> {
  const resource = await cluster.discovery.find(ref, ctx)
  return resource === undefined ? undefined : await getMetadata(cluster, ref, ctx)
}

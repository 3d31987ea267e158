import type { Context, KubeObject } from '../../core/index.ts'
import { gvkOf, isLadingError, LadingError, refOf } from '../../core/index.ts'
import { type AdoptableTool, adoptableEntries, adoptedManagedFields, adoptObject, type Takeover } from './adopt.ts'
import { type ApplyRequest, type ApplyTarget, causesOf, type FieldValidation, sendApply } from './apply-request.ts'
import { type ApplyResult, type Before, resultOf } from './apply-result.ts'
import type { Cluster } from '../cluster.ts'
import { conflictError, type ConflictPolicy, findConflicts, decideConflicts, withoutFields } from './conflicts.ts'
import { isUnexplained, retryOrExplain } from './explain-refusal.ts'
import { type ForeignPolicy, hasOtherVersions } from './foreign-fields.ts'
import { getMetadata, getObject } from '../read/get.ts'
import { sendable } from '../read/normalize.ts'
import { objectBody } from '../read/object-body.ts'
import type { ObjectShape, ObjectToApply, WrittenObject } from '../object-types.ts'
import { resolveResource } from '../discovery/paths.ts'
import { replaceOrRefuse, type ReplacePolicy } from './replace.ts'

export type { ApplyResult }

/** How one object is applied. */
export interface ApplyOptions {
  /** The name under which the fields are owned (default: `lading`). */
  readonly fieldManager?: string
  /** Nothing is stored; the result says what would be. */
  readonly dryRun?: boolean
  /** What becomes of fields that another manager owns (default: `fail`). */
  readonly conflicts?: ConflictPolicy
  /** Tools whose fields are taken over, so that what we leave out disappears. */
  readonly adopt?: readonly AdoptableTool[]
  /** Remove what other managers own and the object does not have, but for what this policy leaves alone. */
  readonly removeForeign?: ForeignPolicy
  /** How strictly the server validates fields (default: `Strict`). Server-side apply refuses unknown fields in any case. */
  readonly fieldValidation?: FieldValidation
  /** Whether an object whose change is refused because a field is immutable is deleted and created again. */
  readonly replace?: ReplacePolicy
  /** The resourceVersion as a LIST gave it; null when the object is known to be absent; unknown costs one read. */
  readonly liveVersion?: string | null
  /** The live object with its managedFields where the caller has it; saves the read that dry-run and adopt need. */
  readonly live?: KubeObject
  /** At least the metadata of the live object where the caller has it; saves the read that adopt needs. */
  readonly liveMetadata?: KubeObject
  /** Refuse with kube.conflict when the object exists with another resourceVersion. */
  readonly ifVersion?: string
}

const maxAttempts = 6
/**
 * Attempts that are bound to the version that was read, so that a changed version afterwards is our doing. An object
 * that never stands still, for example while a controller reports its status, is applied without.
 */
const boundAttempts = 4

/** Applies one object by server-side apply, in one request where nothing has to be found out first. */
export async function applyObject<Object extends ObjectShape>(
  cluster: Cluster,
  object: ObjectToApply<Object>,
  options: ApplyOptions,
  ctx: Context,
): Promise<ApplyResult<WrittenObject<Object>>> {
  return (await apply(cluster, object as KubeObject, options, ctx)) as ApplyResult<WrittenObject<Object>>
}

async function apply(cluster: Cluster, object: KubeObject, options: ApplyOptions, ctx: Context): Promise<ApplyResult> {
  const target = await targetOf(cluster, object, options, ctx)
  for (let attempt = 1; ; attempt++) {
    // What the caller knew is trusted once; after a race everything is read anew.
    const known = attempt === 1 ? options : {}
    try {
      return await applyOnce(target, options, known, attempt <= boundAttempts, ctx)
    } catch (error) {
      if (attempt >= maxAttempts || options.ifVersion !== undefined || !isRace(error)) throw error
      if (attempt > 1) await ctx.clock.sleep(Math.random() * 10 * 2 ** attempt, ctx.signal)
    }
  }
}

async function targetOf(
  cluster: Cluster,
  object: KubeObject,
  options: ApplyOptions,
  ctx: Context,
): Promise<ApplyTarget> {
  const resource = await resolveResource(cluster, gvkOf(object), ctx)
  const desired = sendable(object, resource)
  const { fieldManager = 'lading', fieldValidation = 'Strict', dryRun = false } = options
  return { cluster, resource, ref: refOf(desired), desired, fieldManager, fieldValidation, dryRun }
}

async function applyOnce(
  target: ApplyTarget,
  options: ApplyOptions,
  known: Pick<ApplyOptions, 'live' | 'liveVersion' | 'liveMetadata'>,
  bound: boolean,
  ctx: Context,
): Promise<ApplyResult> {
  const before = await adoptIfNeeded(target, options, await readBefore(target, options, known, ctx), ctx)
  const request = { version: options.ifVersion ?? (bound ? before.version : undefined) }
  try {
    const response = await sendApply(target, request, ctx)
    return await resultOf(target, takeoverOf(target, options), response, before, ctx)
  } catch (error) {
    if (isLadingError(error, 'kube.field-conflict')) return await applyDespite(error, target, options, before, ctx)
    return await recover(error, target, request, options, before, ctx)
  }
}

async function readBefore(
  target: ApplyTarget,
  options: ApplyOptions,
  known: Pick<ApplyOptions, 'live' | 'liveVersion' | 'liveMetadata'>,
  ctx: Context,
): Promise<Before> {
  if (known.live !== undefined) return readAs(known.live)
  if (known.liveVersion === null) return { version: undefined }
  const wantsLive = target.dryRun || takesOver(options)
  if (typeof known.liveVersion === 'string' && !wantsLive) return { version: known.liveVersion }
  if (known.liveMetadata !== undefined && !target.dryRun) {
    return { version: known.liveMetadata.metadata.resourceVersion, metadata: known.liveMetadata }
  }
  if (target.dryRun) return readAs(await getObject(target.cluster, target.ref, ctx))
  const metadata = await getMetadata(target.cluster, target.ref, ctx)
  return metadata === undefined ? readAs(undefined) : { version: metadata.metadata.resourceVersion, metadata }
}

function readAs(live: KubeObject | undefined): Before {
  return live === undefined ? { version: undefined } : { version: live.metadata.resourceVersion, live, metadata: live }
}

async function adoptIfNeeded(
  target: ApplyTarget,
  options: ApplyOptions,
  before: Before,
  ctx: Context,
): Promise<Before> {
  const { metadata } = before
  if (!takesOver(options) || metadata === undefined || target.dryRun) return before
  const needsWhole =
    options.removeForeign !== undefined && before.live === undefined && hasOtherVersions(metadata, target.desired)
  const known = needsWhole ? await getObject(target.cluster, target.ref, ctx) : metadata
  if (known === undefined) throw new LadingError('kube.conflict', 'the object was deleted meanwhile', { ...target.ref })
  const managedFields = adoptedManagedFields(known, takeoverOf(target, options))
  if (managedFields === undefined) return before
  const adopted = await adoptObject(target.cluster, target.ref, known, managedFields, ctx)
  return { ...before, version: adopted.metadata.resourceVersion, adopted: true }
}

function takesOver({ adopt = [], removeForeign }: ApplyOptions): boolean {
  return adopt.length > 0 || removeForeign !== undefined
}

function takeoverOf({ fieldManager, desired }: ApplyTarget, { adopt, removeForeign }: ApplyOptions): Takeover {
  const tools = adopt ?? []
  if (removeForeign === undefined) return { fieldManager, tools }
  return { fieldManager, tools, foreign: { policy: removeForeign, desired } }
}

/** Applies once more as the policy decides the conflicts; the object must not have changed since they were decided. */
async function applyDespite(
  refusal: LadingError,
  target: ApplyTarget,
  options: ApplyOptions,
  before: Before,
  ctx: Context,
): Promise<ApplyResult> {
  const live = await getObject(target.cluster, target.ref, ctx)
  if (live === undefined) throw new LadingError('kube.conflict', 'the object was deleted meanwhile', { ...target.ref })
  const paths = causesOf(refusal).flatMap(({ field }) => (field === undefined ? [] : [field]))
  const found = findConflicts(target.desired, live, paths, target.fieldManager)
  // In a dry-run nothing was adopted, so what would have been still shows as a conflict.
  const adopted = target.dryRun ? adoptableEntries(live, options.adopt ?? [], target.fieldManager) : []
  const conflicts = found.filter(
    ({ manager, operation }) => !adopted.some((entry) => entry.manager === manager && entry.operation === operation),
  )
  const { ours, theirs, undecided } = decideConflicts(conflicts, options.conflicts ?? 'fail', target.ref)
  if (undecided.length > 0) throw conflictError(target.ref, undecided, refusal)
  const force = ours.length > 0 || conflicts.length < found.length
  const now: Before = { ...readAs(live), adopted: before.adopted === true }
  const version = options.ifVersion ?? now.version
  const request = { body: withoutFields(target.desired, theirs), force, version }
  try {
    const response = await sendApply(target, request, ctx)
    const result = await resultOf(target, takeoverOf(target, options), response, now, ctx)
    return { ...result, overridden: ours, yielded: theirs }
  } catch (error) {
    // Conflicts that appeared in between are decided anew.
    if (isLadingError(error, 'kube.field-conflict'))
      throw new LadingError('kube.conflict', error.message, error.details)
    return await recover(error, target, request, options, now, ctx)
  }
}

async function recover(
  error: unknown,
  target: ApplyTarget,
  request: ApplyRequest,
  options: ApplyOptions,
  before: Before,
  ctx: Context,
): Promise<ApplyResult> {
  if (isUnexplained(error)) {
    const response = await retryOrExplain(target, request, error, ctx)
    return await resultOf(target, takeoverOf(target, options), response, before, ctx)
  }
  if (!isLadingError(error, 'kube.invalid') || before.version === undefined) throw error
  const { response, live } = await replaceOrRefuse(target, options.replace ?? false, error, ctx)
  const object = response === undefined ? target.desired : objectBody(response.body)
  return { action: 'replaced', object, live, overridden: [], yielded: [], warnings: response?.warnings ?? [] }
}

function isRace(error: unknown): boolean {
  // Two writers that create the same name at once: one of them hears AlreadyExists, even from an apply.
  return isLadingError(error, 'kube.conflict', 'kube.already-exists')
}

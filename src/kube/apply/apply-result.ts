import { isDeepStrictEqual } from 'node:util'
import type { Context, FieldConflict, KubeObject } from '../../core/index.ts'
import { formatRef, LadingError } from '../../core/index.ts'
import { takenEntries, type Takeover, withoutAbandoned } from './adopt.ts'
import type { ApplyTarget } from './apply-request.ts'
import type { Cluster } from '../cluster.ts'
import { objectBody } from '../read/object-body.ts'
import type { ObjectShape } from '../object-types.ts'
import type { KubeResponse } from '../transport/transport.ts'
import { updateObject } from './update.ts'

/** What became of one object. */
export interface ApplyResult<Object extends ObjectShape = KubeObject> {
  readonly action: 'created' | 'configured' | 'unchanged' | 'replaced'
  /** The object as the server stored it, or would; in a dry-run that replaces, the object as it was sent. */
  readonly object: Object
  /** The object before, where it was read whole (always in a dry-run). */
  readonly live?: Object
  /** Fields that were taken from other managers. */
  readonly overridden: readonly FieldConflict[]
  /** Fields that were left to other managers. */
  readonly yielded: readonly FieldConflict[]
  readonly warnings: readonly string[]
}

/** What is known of the object before it is applied; no version means that there is none. */
export interface Before {
  readonly version: string | undefined
  /** The whole object, where it was read. */
  readonly live?: KubeObject
  /** At least its metadata, where that was read. */
  readonly metadata?: KubeObject
  /** Whether adopting has already written to it. */
  readonly adopted?: boolean
}

/** Tells from the answer to an apply what it did. */
export async function resultOf(
  target: ApplyTarget,
  takeover: Takeover,
  response: KubeResponse,
  before: Before,
  ctx: Context,
): Promise<ApplyResult> {
  const answer = objectBody(response.body)
  const object = target.dryRun ? await asTakenOver(target.cluster, answer, takeover, ctx) : answer
  const { live } = before
  const warnings = [...response.warnings, ...ownWarnings(target, answer)]
  const result = { object, overridden: [], yielded: [], warnings, live }
  if (response.status === 201) return { ...result, action: 'created' }
  return { ...result, action: isUnchanged(target, object, before) ? 'unchanged' : 'configured' }
}

/**
 * The object as taking fields over would leave it, which a dry-run cannot do before it applies. Managers that update own the
 * defaults too, so the object without their fields goes through one more dry-run, in which the server fills the defaults in.
 */
export async function asTakenOver(
  cluster: Cluster,
  answer: KubeObject,
  takeover: Takeover,
  ctx: Context,
): Promise<KubeObject> {
  if (takenEntries(answer, takeover).length === 0) return answer
  const adopted = withoutAbandoned(answer, takeover)
  const { managedFields } = adopted.metadata
  const { fieldManager } = takeover
  const filled = await updateObject(cluster, adopted, { dryRun: true, fieldManager }, ctx)
  return { ...filled, metadata: { ...filled.metadata, ...(managedFields !== undefined && { managedFields }) } }
}

/**
 * A write that changes nothing keeps the resourceVersion. A dry-run always answers with the stored one, so there the
 * objects are compared, ownership included since taking it is a change too.
 */
function isUnchanged(target: ApplyTarget, object: KubeObject, before: Before): boolean {
  const sameVersion = object.metadata.resourceVersion === before.version
  if (!target.dryRun) return sameVersion && before.adopted !== true
  if (!sameVersion || before.live === undefined) {
    throw new LadingError('kube.conflict', 'the object changed during the dry-run', { ...target.ref })
  }
  return isDeepStrictEqual(withoutTimes(object), withoutTimes(before.live))
}

function withoutTimes(object: KubeObject): unknown {
  const managedFields = (object.metadata.managedFields ?? []).map((entry) => ({ ...entry, time: undefined }))
  return { ...object, metadata: { ...object.metadata, managedFields } }
}

function ownWarnings(target: ApplyTarget, answer: KubeObject): string[] {
  if (answer.metadata.deletionTimestamp === undefined) return []
  return [`${formatRef(target.ref)} is being deleted: what was applied goes with it`]
}

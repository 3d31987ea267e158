import { isDeepStrictEqual } from 'node:util'
import { type Context, isRecord, type KubeObject, LadingError, type Mask, maskSecret } from '../../core/index.ts'
import {
  asTakenOver,
  type FieldPath,
  type ForeignPolicy,
  type ForeignShare,
  foreignShares,
  valueAt,
} from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Ownership } from '../ownership.ts'
import { spellPath } from './attribute-drift.ts'
import type { DriftChange } from './object-diff.ts'

/** The fields that others added to an object, and what could not be found out about them. */
export interface Additions {
  readonly added: readonly DriftChange[]
  readonly note?: string
}

/** An object as it is desired, as the server would have it with everybody's fields, and as it is. */
interface ObjectStates {
  readonly desired: KubeObject
  readonly wanted: KubeObject
  readonly live: KubeObject
}

/**
 * Finds what others added to a live object. The server says in a dry run what the object would be without their fields: a field that
 * has the same value then is a default of the server, which managers that update come to own without having asked for it.
 */
export async function findAdditions(
  { cluster }: ReleaseEngine,
  { desired, wanted, live }: ObjectStates,
  { fieldManager }: Ownership,
  policy: ForeignPolicy,
  mask: Mask,
  ctx: Context,
): Promise<Additions> {
  const shares = foreignShares(live, desired, fieldManager, policy)
  if (shares.length === 0) return { added: [] }
  const takeover = { fieldManager, tools: [], foreign: { policy, desired } }
  try {
    const without = await asTakenOver(cluster, wanted, takeover, ctx)
    return { added: additionsOf(shares, maskSecret(live, mask), maskSecret(without, mask)) }
  } catch (error) {
    if (!(error instanceof LadingError) || !refusals.has(error.code)) throw error
    const note = `what others added may include defaults of the server, which did not say: ${error.message}`
    return { added: additionsOf(shares, maskSecret(live, mask), undefined), note }
  }
}

/** Answers of the server about one object, as opposed to a server that does not answer. */
const refusals: ReadonlySet<string> = new Set([
  'kube.forbidden',
  'kube.invalid',
  'kube.bad-request',
  'kube.conflict',
  'kube.not-found',
])

/** The added fields, each with its newest owner; of a map or an item that is added whole, only that. */
function additionsOf(
  shares: readonly ForeignShare[],
  live: KubeObject,
  without: KubeObject | undefined,
): DriftChange[] {
  const owned = shares.flatMap(({ entry, paths }) => paths.map((path) => ({ entry, path, text: spellPath(path) })))
  owned.sort((a, b) => a.path.length - b.path.length || (b.entry.time ?? '').localeCompare(a.entry.time ?? ''))
  const found = new Map<string, DriftChange>()
  for (const { entry, path, text } of owned) {
    if (isCovered(path, found)) continue
    const after = valueAt(live, path)
    const before = without === undefined ? undefined : valueAt(without, path)
    if (after === undefined || isDeepStrictEqual(before, after) || (isNested(before) && isNested(after))) continue
    const { manager, time } = entry
    found.set(text, {
      path: text,
      ...(before === undefined ? {} : { before }),
      after,
      ...(manager === undefined ? {} : { manager }),
      ...(time === undefined ? {} : { time }),
    })
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether the path or one that it lies below is told already. */
function isCovered(path: FieldPath, found: ReadonlyMap<string, DriftChange>): boolean {
  return path.some((_, at) => found.has(spellPath(path.slice(0, at + 1))))
}

function isNested(value: unknown): boolean {
  return isRecord(value) || Array.isArray(value)
}

import { type Context, isRecord, type KubeObject, objectId } from '../../core/index.ts'
import { type Cluster, readLiveIndex } from '../../kube/index.ts'
import type { DesiredObject } from './desired-object.ts'
import type { InventoryEntry } from './record.ts'

/** What is said of one. */
export const spentReason = 'it has run, and its time to live has removed it'

/** What is said of a Job that is gone although nobody saw it complete. */
export const unseenEndReason = 'does not exist, and was not seen to complete'

/**
 * Whether an object that is not there any more has done its work: a Job that a good revision applied as it is wanted, that was seen to
 * complete, and that its time to live removes after its end. Were it still there, complete, it would be left alone as well; it must not run
 * again for having been tidied up.
 */
export function isExpired(object: KubeObject, hash: string, entry: InventoryEntry | undefined): boolean {
  return goesByItself(object) && entry?.hash === hash && entry.resourceVersion !== undefined && mayHaveRun(entry)
}

/** Entries without the field were written before ends were recorded: an old migration does not run again because of that. */
export function mayHaveRun({ completed }: Pick<InventoryEntry, 'completed'>): boolean {
  return completed !== false
}

/** Whether an object is removed by itself after its end. */
export function goesByItself({ apiVersion, kind, spec }: KubeObject): boolean {
  const limit = isRecord(spec) ? spec['ttlSecondsAfterFinished'] : undefined
  return kind === 'Job' && apiVersion.startsWith('batch/') && typeof limit === 'number'
}

/** What an inventory entry keeps of a live object that goes by itself: whether it has completed. */
export function endOf(live: KubeObject): Pick<InventoryEntry, 'completed'> {
  return goesByItself(live) ? { completed: isComplete(live) } : {}
}

/** Records that Jobs were waited for until they completed. */
export function noteCompleted(applied: Map<string, InventoryEntry>, jobs: readonly DesiredObject[]): void {
  for (const { id, object } of jobs) {
    const entry = applied.get(id)
    if (entry !== undefined && goesByItself(object)) applied.set(id, { ...entry, completed: true })
  }
}

/** Looks whether Jobs that go by themselves have completed by now, where that is not known yet. */
export async function lookForEnds(
  cluster: Cluster,
  objects: readonly DesiredObject[],
  applied: Map<string, InventoryEntry>,
  ctx: Context,
): Promise<void> {
  const open = objects.filter(({ id, object }) => goesByItself(object) && applied.get(id)?.completed === false)
  const refs = open.map(({ ref }) => ref)
  const live = refs.length === 0 ? new Map<string, null>() : await readLiveIndex(cluster, refs, 'object', ctx)
  noteCompleted(
    applied,
    open.filter(({ ref }) => {
      const job = live.get(objectId(ref))
      return job !== undefined && job !== null && isComplete(job)
    }),
  )
}

function isComplete({ status }: KubeObject): boolean {
  const conditions = isRecord(status) && Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.filter(isRecord).some(({ type, status: is }) => type === 'Complete' && is === 'True')
}

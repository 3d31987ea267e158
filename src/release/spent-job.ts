import { isRecord, type KubeObject } from '../core/index.ts'
import type { InventoryEntry } from './record.ts'

/** What is said of one. */
export const spentReason = 'it has run, and its time to live has removed it'

/**
 * Whether an object that is not there any more has done its work: a Job that a good revision applied as it is wanted, and that its time to live
 * removes after its end. Were it still there, complete, it would be left alone as well; it must not run again for having been tidied up.
 */
export function isSpent(object: KubeObject, hash: string, entry: InventoryEntry | undefined): boolean {
  return goesByItself(object) && entry?.hash === hash && entry.resourceVersion !== undefined
}

/** Whether an object is removed by itself after its end. */
export function goesByItself({ apiVersion, kind, spec }: KubeObject): boolean {
  const limit = isRecord(spec) ? spec['ttlSecondsAfterFinished'] : undefined
  return kind === 'Job' && apiVersion.startsWith('batch/') && typeof limit === 'number'
}

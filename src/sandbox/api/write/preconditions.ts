import type { KubeObject } from '../../../core/index.ts'
import { immutable, invalidValue } from '../../kinds/causes.ts'
import type { ResourceType } from '../../resource-type.ts'
import { conflict, invalid, unreadableVersion } from '../../status-error.ts'

/** Throws a conflict if the writer names another uid or resourceVersion than the stored object has. */
export function checkVersion(type: ResourceType, old: KubeObject, next: KubeObject): void {
  const { resourceVersion, uid } = next.metadata
  if (uid !== undefined && uid !== '' && uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`
    throw conflict(type, old.metadata.name, why)
  }
  if (resourceVersion !== undefined && !/^\d*$/.test(resourceVersion)) throw unreadableVersion(resourceVersion)
  if (!isVersionless(resourceVersion) && resourceVersion !== old.metadata.resourceVersion) {
    const why = 'the object has been modified; please apply your changes to the latest version and try again'
    throw conflict(type, old.metadata.name, why)
  }
}

/** Refuses to set `deletionTimestamp`: only DELETE does that. */
export function checkDeletionTime(type: ResourceType, old: KubeObject, { metadata }: KubeObject): void {
  const { deletionTimestamp } = metadata
  if (deletionTimestamp === undefined || deletionTimestamp === old.metadata.deletionTimestamp) return
  throw invalid(type, old.metadata.name, [invalidValue('metadata.deletionTimestamp', deletionTimestamp, immutable)])
}

/** Whether a write applies to any version of the stored object. */
export function isVersionless(resourceVersion: string | undefined): boolean {
  return resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0'
}

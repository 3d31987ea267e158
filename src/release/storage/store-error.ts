import { LadingError } from '../../core/index.ts'
import type { RevisionKey } from './release-store.ts'

/** The revision is there already. */
export function existsError(key: RevisionKey, cause?: unknown): LadingError {
  return new LadingError('release.exists', `${tell(key)} exists already`, { ...pick(key) }, { cause })
}

/** Somebody else wrote the revision since it was read. */
export function changedError(key: RevisionKey, cause?: unknown): LadingError {
  return new LadingError('release.changed', `${tell(key)} changed since it was read`, { ...pick(key) }, { cause })
}

/** What is stored at `where` is no record; the reason never quotes what it holds. */
export function unreadableError(where: string, reason: string, cause?: unknown): LadingError {
  return new LadingError('release.unreadable', `${where} cannot be read: ${reason}`, { where, reason }, { cause })
}

/** The record does not fit into what the storage offers. */
export function tooLargeError(key: RevisionKey, size: number, limit: number, hint: string): LadingError {
  const message = `the record of ${tell(key)} takes ${size} bytes, ${limit} fit: ${hint}`
  return new LadingError('release.too-large', message, { ...pick(key), size, limit })
}

function tell({ name, namespace, version }: RevisionKey): string {
  return `revision ${version} of ${namespace}/${name}`
}

function pick({ name, namespace, version }: RevisionKey): RevisionKey {
  return { name, namespace, version }
}

import type { ReleaseRecord, SourceInfo } from '../record/record.ts'
import { shownLabels } from './release-labels.ts'
import type { RevisionSummary } from './release-store.ts'

/** A record as a list shows it. */
export function summaryOfRecord(record: ReleaseRecord): RevisionSummary {
  const { name, namespace, version, state, createdAt, updatedAt, pack, description, labels } = record
  return {
    name,
    namespace,
    version,
    status: state.status,
    createdAt,
    updatedAt,
    source: sourceLabel(pack),
    ...(description !== undefined && { description }),
    ...shownLabels(labels),
  }
}

/** A source in one word, as lists show it. */
export function sourceLabel({ type, name, version, digest }: SourceInfo): string {
  if (version !== undefined) return `${name}-${version}`
  // An artifact that was named by its digest alone has no other version.
  return type === 'artifact' && digest !== undefined ? `${name}@${digest.replace('sha256:', '').slice(0, 12)}` : name
}

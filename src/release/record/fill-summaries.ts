import { type Context, isLadingError } from '../../core/index.ts'
import type { ReleaseStore, RevisionSummary } from '../storage/release-store.ts'
import { summaryOfRecord } from '../storage/summary-of-record.ts'

/** Payloads read at the same time. */
const readsInFlight = 16

/**
 * Fills in what records do not show without their payload. Lading's own show it all; of those that Helm wrote, the source and the
 * description stand only inside. What cannot be read stays as it is.
 */
export async function fillSummaries(
  store: ReleaseStore,
  summaries: readonly RevisionSummary[],
  ctx: Context,
): Promise<RevisionSummary[]> {
  const complete: RevisionSummary[] = []
  for (let start = 0; start < summaries.length; start += readsInFlight) {
    const batch = summaries.slice(start, start + readsInFlight)
    complete.push(...(await Promise.all(batch.map((summary) => completed(store, summary, ctx)))))
  }
  return complete
}

async function completed(
  store: ReleaseStore,
  { token: _, ...summary }: RevisionSummary,
  ctx: Context,
): Promise<RevisionSummary> {
  if (summary.source !== undefined || summary.status === 'unknown') return summary
  try {
    const stored = await store.get(summary, ctx)
    return stored === undefined ? summary : { ...summaryOfRecord(stored.record), ...summary }
  } catch (error) {
    if (isLadingError(error, 'release.unreadable', 'usage.invalid')) return summary
    throw error
  }
}

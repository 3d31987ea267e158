import type { Context } from '../../core/index.ts'
import { fillSummaries } from './fill-summaries.ts'
import type { ReleaseName } from '../release-name.ts'
import { noSuchRelease, revisionOf } from './history.ts'
import type { ReleaseRecord } from './record.ts'
import type { ReleaseStore, RevisionSummary } from '../storage/release-store.ts'

/** The revisions of a release that must be there, oldest first. */
export async function historyOf(
  store: ReleaseStore,
  release: ReleaseName,
  ctx: Context,
): Promise<readonly RevisionSummary[]> {
  return await fillSummaries(store, await knownRevisions(store, release, ctx), ctx)
}

/** One revision of a release, the latest unless one is named. */
export async function recordOf(
  store: ReleaseStore,
  release: ReleaseName,
  revision: number | undefined,
  ctx: Context,
): Promise<ReleaseRecord> {
  const latest = async (): Promise<number> => (await knownRevisions(store, release, ctx)).at(-1)?.version ?? 0
  return (await revisionOf(store, release, revision ?? (await latest()), ctx)).record
}

async function knownRevisions(
  store: ReleaseStore,
  release: ReleaseName,
  ctx: Context,
): Promise<readonly RevisionSummary[]> {
  const revisions = await store.history(release.name, release.namespace, ctx)
  if (revisions.length === 0) throw noSuchRelease(release)
  return revisions
}

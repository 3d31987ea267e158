import type { Context, LadingEvent } from '../../core/index.ts'
import type { ReleaseStore, RevisionSummary } from '../storage/release-store.ts'

/**
 * Removes the oldest revisions of a release, so that with the one that has just been made no more than `historyMax` are left; 0 keeps
 * them all. What is to stay and what cannot be read stays, whatever its age.
 */
export async function* cutHistory(
  store: ReleaseStore,
  before: readonly RevisionSummary[],
  { historyMax = 10, stays }: { readonly historyMax?: number | undefined; readonly stays?: number | undefined },
  ctx: Context,
): AsyncGenerator<LadingEvent> {
  if (historyMax === 0) return
  const surplus = Math.max(0, before.length + 1 - historyMax)
  const old = before.filter(({ version }) => version !== stays).slice(0, surplus)
  for (const { name, namespace, version, status } of old) {
    if (status === 'unknown') {
      yield { type: 'warning', message: `revision ${version} of ${name} cannot be read and is left alone` }
      continue
    }
    const stored = await store.get({ name, namespace, version }, ctx)
    if (stored !== undefined) await store.delete(stored, ctx)
  }
}

import type { LadingEvent } from '../../core/index.ts'
import { keepPolicy, ownershipMismatch, type SetObject } from '../../kube/index.ts'
import type { Ownership } from '../ownership.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { ReleaseName } from '../release-name.ts'
import { isHome } from './home-namespace.ts'

/**
 * Warns of objects that already carry the marks of a release of which the store has no record: another store may have it, and two records of one
 * release undo each other's work. What a policy kept is meant to be found again, and the release's own namespace is created before its record.
 */
export function* tellUnrecorded(
  release: ReleaseName,
  { revisions }: ReleaseHistory,
  { guard }: Ownership,
  judged: readonly SetObject[],
): Generator<LadingEvent> {
  if (revisions.length > 0) return
  const marked = judged.filter(({ ref, live }) => {
    if (live === undefined || isHome(ref, release)) return false
    return keepPolicy(live.metadata) === undefined && ownershipMismatch(live.metadata, guard) === undefined
  })
  const [first, ...more] = marked
  if (first === undefined) return
  const others = more.length === 0 ? 'it carries' : `it and ${more.length} more carry`
  const message = `${others} the marks of release ${release.namespace}/${release.name}, of which this store has no record; if another store has it, go on with that --storage`
  yield { type: 'warning', ref: first.ref, message }
}

import type { KubeObject } from '../core/index.ts'
import { noEarlierRevision, noSuchRevision } from '../deployment/index.ts'
import { idOf } from './deployment-id.ts'
import { part } from './describe-deployment.ts'
import { asFollowing, asPinned } from './pin-source.ts'
import { markRollback, type SpecRevision } from './spec-revisions.ts'

/** The revision that a rollback goes to: the one that is named, or with 0 the one before the current. */
export function rollbackTarget(id: string, revisions: readonly SpecRevision[], revision: number): SpecRevision {
  const found = revision === 0 ? revisions.at(-2) : revisions.find((one) => one.revision === revision)
  if (found === undefined && revision === 0) throw noEarlierRevision(id)
  if (found === undefined) throw noSuchRevision(id, revision)
  return found
}

/** The object as it was at a revision: chart and values, or path and the pinned revision of the source. */
export function rolledBack(live: KubeObject, target: SpecRevision): KubeObject {
  const { suspend } = part(live, 'spec')
  const restored = { ...asFollowing(live), spec: { ...target.spec, ...(suspend === undefined ? {} : { suspend }) } }
  const marked = markRollback(restored, target.revision)
  if (live.kind !== 'Kustomization') return marked
  if (target.sourceRevision === undefined) throw noSuchRevision(idOf(live), target.revision)
  return asPinned(marked, part(marked, 'spec', 'sourceRef'), target.sourceRevision)
}

import { type Context, LadingError, type LadingEvent } from '../core/index.ts'
import type { DeployOptions, Intent, ReleaseEngine } from './deploy.ts'
import { desiredState } from './desired.ts'
import type { ReleaseHistory } from './history.ts'
import { bringsHome, createHome, homeActions, isHome, isHomeMissing } from './home-namespace.ts'
import type { Plan, PlanAction } from './plan.ts'
import { refuseOutdated } from './stale-plan.ts'

/** What is done about the namespace of a release. */
interface PreparedHome {
  /** What a plan says about it; empty where nothing is created, or the set itself brings it. */
  readonly home: readonly PlanAction[]
  readonly madeHome: boolean
}

/** Creates the namespace of a release where it is missing and wanted, or in a dry run only says so. */
export async function* prepareHome(
  engine: ReleaseEngine,
  intent: Intent,
  { createNamespace, dryRun }: DeployOptions,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, PreparedHome> {
  const { release, objects, plan } = intent
  const isWanted = createNamespace === true || bringsHome(objects, release)
  if (!isWanted || !(await isHomeMissing(engine.cluster, release, ctx))) return { home: [], madeHome: false }
  if (dryRun === true) return { home: homeActions(objects, release), madeHome: false }
  if (plan !== undefined) yield* refuseUnplannedHome(engine, intent, plan, history, ctx)
  const madeHome = yield* createHome(engine, release, objects, ctx)
  return { home: madeHome ? homeActions(objects, release) : [], madeHome }
}

/**
 * The namespace of a release is created before anything else, for the lock is in it. So a plan that does not say so, or that is stale by what
 * is known without the namespace, is refused before.
 */
async function* refuseUnplannedHome(
  engine: ReleaseEngine,
  { release, objects }: Intent,
  approved: Plan,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  if (!approved.actions.some(({ ref, liveVersion }) => isHome(ref, release) && liveVersion === null)) {
    throw new LadingError('plan.stale', `the plan is stale: the namespace ${release.namespace} is gone`)
  }
  const { hash } = yield* desiredState(engine, release, objects, ctx)
  refuseOutdated(approved, { objectsHash: hash, previous: history.latest?.record.version ?? 0 })
}

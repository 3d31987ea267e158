import { type Context, LadingError, type LadingEvent } from '../../core/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { Intent } from '../intent.ts'
import type { ReleaseEngine } from '../engine.ts'
import { isHome, missingHome } from '../plan/home-namespace.ts'
import { createHome } from './create-home.ts'
import type { PlanAction } from '../plan.ts'

/** What is done about the namespace of a release. */
interface PreparedHome {
  /** What a plan says about it; empty where nothing is created, or the set itself brings it. */
  readonly home: readonly PlanAction[]
  readonly madeHome: boolean
}

/**
 * Creates the namespace of a release where it is missing and wanted. It is created before anything else, for the
 * lock is in it; so an approved plan is compared before, with `compare`.
 */
export async function* prepareHome(
  engine: ReleaseEngine,
  { release, objects, plan }: Intent,
  { createNamespace }: DeployOptions,
  compare: (home: readonly PlanAction[]) => AsyncGenerator<LadingEvent, void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, PreparedHome> {
  const home = await missingHome(engine.cluster, { release, objects }, { createNamespace }, ctx)
  if (home === undefined) return { home: [], madeHome: false }
  if (plan !== undefined) {
    if (!plan.actions.some(({ ref, liveVersion }) => isHome(ref, release) && liveVersion === null)) {
      throw new LadingError('plan.stale', `the plan is stale: the namespace ${release.namespace} is gone`)
    }
    yield* compare(home)
  }
  const madeHome = yield* createHome(engine, release, objects, ctx)
  return { home: madeHome ? home : [], madeHome }
}

import { type Context, context, isLadingError, LadingError, type LadingEvent, toLadingError } from '../../core/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Intent } from '../intent.ts'
import { inTime } from '../plan/in-time.ts'
import { intentOf } from '../plan/resolve-intent.ts'
import { readHistory, type ReleaseHistory } from '../record/history.ts'
import type { ReleaseName } from '../release-name.ts'
import { deploy, type DeployResult } from './deploy.ts'
import { uninstall } from './uninstall.ts'

/** Deploys, and when that fails and the caller or a hook wants it, brings the release back to where it was. */
export async function* deployOrReturn(
  engine: ReleaseEngine,
  intent: Intent,
  options: DeployOptions,
  history: ReleaseHistory,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  try {
    return yield* deploy(engine, intent, options, history, ctx)
  } catch (error) {
    if (!isLadingError(error, 'release.failed', 'cancelled')) throw error
    // Whoever cancels before a revision was begun has nothing to go back from.
    const begun = error.details.revision !== undefined
    if (!begun || (options.atomic !== true && error.details.rollback !== true)) throw error
    let where: string
    try {
      where = yield* goBack(engine, intent.release, options, error, ctx)
    } catch (second) {
      // What went wrong first is what the user has to know first.
      const message = `${error.message}; going back failed too: ${toLadingError(second).message}`
      throw new LadingError(error.code, message, error.details, { cause: new AggregateError([error, second]) })
    }
    throw new LadingError(error.code, `${error.message}; ${where}`, error.details, { cause: error })
  }
}

/** Gives where the release is then, in words. */
async function* goBack(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: DeployOptions,
  failure: LadingError,
  ctx: Context,
): AsyncGenerator<LadingEvent, string> {
  // An operation that was cancelled or timed out goes back too: the way back has a time limit of its own, as long as the operation's.
  const { log, clock } = ctx
  const own = context({ log, clock })
  const history = await readHistory(engine.store, release, own)
  const { current, latest } = history
  const failed = failure.details.revision
  // Another operation has come since, and its outcome is not ours to undo.
  if (latest?.record.version !== failed)
    return 'another operation has worked on the release since, so it stays as it is'
  if (current === undefined) {
    const { deleteCustomResources, timeoutMs } = options
    yield { type: 'progress', message: `the install failed and is removed: ${failure.message}` }
    const how = { noHooks: options.noHooks === true, revision: failed, deleteCustomResources, timeoutMs }
    yield* uninstall(engine, release, how, own)
    return 'what was installed is removed again'
  }
  yield { type: 'progress', message: `going back to revision ${current.record.version}: ${failure.message}` }
  const { atomic: _, ...rest } = options
  const intent = { ...intentOf(current.record), after: failed }
  const how = { ...rest, wait: true, description: `Rollback to ${current.record.version}` }
  yield* inTime(release, options, own, (timed) => deploy(engine, intent, how, history, timed))
  return `the release is back at revision ${current.record.version}`
}

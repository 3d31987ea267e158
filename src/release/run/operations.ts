import {
  type Context,
  context,
  defined,
  followDuring,
  followWithinDeadline,
  isLadingError,
  LadingError,
  type LadingEvent,
  toLadingError,
} from '../../core/index.ts'
import type { Content, Intent } from '../intent.ts'
import { readObjects } from '../../core/yaml/index.ts'
import { deploy, type DeployResult } from './deploy.ts'
import { defaultTimeoutMs, type DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import {
  existsAlready,
  isInstalled,
  lastGood,
  noSuchRelease,
  readHistory,
  readHistoryAgain,
  type ReleaseHistory,
  revisionOf,
} from '../record/history.ts'
import { sweepLock } from '../lock/lock.ts'
import type { Plan } from '../plan.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { chartReleaseOf } from '../storage/helm/helm-record.ts'
import { tellOnce } from './tell-once.ts'
import { uninstall } from './uninstall.ts'

/** Installs a release that is not there; one that failed before it was ever good, or was uninstalled, is installed anew. */
export function install(
  engine: ReleaseEngine,
  content: Content,
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  const { release } = content
  return inTime(release, options, ctx, async function* (timed) {
    const history = await readHistoryAgain(engine.store, release, content.history, timed)
    if (isInstalled(history)) {
      await sweepLock(engine.cluster, release, timed)
      throw existsAlready(release, history)
    }
    return yield* deployOrReturn(engine, { ...content, operation: 'install' }, options, history, timed)
  })
}

/** Upgrades a release; with `install`, one that is not there is installed. */
export function upgrade(
  engine: ReleaseEngine,
  content: Content,
  options: DeployOptions & { readonly install?: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  const { release } = content
  return inTime(release, options, ctx, async function* (timed) {
    const history = await readHistoryAgain(engine.store, release, content.history, timed)
    const { latest } = history
    if (!isInstalled(history) && options.install === true) {
      return yield* deployOrReturn(engine, { ...content, operation: 'install' }, options, history, timed)
    }
    if (latest === undefined || latest.record.state.status === 'uninstalled') throw noSuchRelease(release)
    return yield* deployOrReturn(engine, { ...content, operation: 'upgrade' }, options, history, timed)
  })
}

/** Makes a release what it was at an earlier revision, as a new one; without a revision, at the last good one before. */
export function rollback(
  engine: ReleaseEngine,
  release: ReleaseName,
  revision: number | undefined,
  { plan, ...options }: DeployOptions & { readonly plan?: Plan },
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  return inTime(release, options, ctx, async function* (timed) {
    const history = await readHistory(engine.store, release, timed)
    if (history.latest === undefined) throw noSuchRelease(release)
    const target =
      revision === undefined
        ? await lastGood(engine.store, release, history, timed)
        : await revisionOf(engine.store, release, revision, timed)
    const intent = intentOf(target.record, 'rollback')
    const approved = plan === undefined ? intent : { ...intent, plan }
    return yield* deployOrReturn(engine, approved, options, history, timed)
  })
}

/** Does all of an operation within its time limit: also what it does before it has the lock. */
function inTime(
  { name, namespace }: ReleaseName,
  { timeoutMs = defaultTimeoutMs }: DeployOptions,
  ctx: Context,
  work: (timed: Context) => AsyncGenerator<LadingEvent, DeployResult>,
): AsyncGenerator<LadingEvent, DeployResult> {
  const what = `planning release ${namespace}/${name}`
  return followWithinDeadline(timeoutMs, ctx, (timed) => followDuring(what, timed, tellOnce(work(timed))))
}

/** Deploys, and when that fails and the caller or a hook wants it, brings the release back to where it was. */
async function* deployOrReturn(
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
    const how = {
      noHooks: options.noHooks === true,
      revision: failed,
      ...defined({ deleteCustomResources, timeoutMs }),
    }
    yield* uninstall(engine, release, how, own)
    return 'what was installed is removed again'
  }
  yield { type: 'progress', message: `going back to revision ${current.record.version}: ${failure.message}` }
  const { atomic: _, ...rest } = options
  const intent = { ...intentOf(current.record, 'rollback'), after: failed }
  const how = { ...rest, wait: true, description: `Rollback to ${current.record.version}` }
  yield* inTime(release, options, own, (timed) => deploy(engine, intent, how, history, timed))
  return `the release is back at revision ${current.record.version}`
}

/** A stored revision as something to deploy again: its own source, values and objects. */
function intentOf(record: ReleaseRecord, operation: 'rollback'): Intent {
  const { name, namespace, version, pack, values, userValues, valuesProvenance, notes } = record
  const chart = chartReleaseOf(record)
  return {
    operation,
    release: { name, namespace },
    objects: [...readObjects(record.manifest), ...record.hooks.map(({ object }) => object)],
    source: pack,
    values,
    provenance: valuesProvenance,
    target: version,
    ...defined({ userValues, notes, chart }),
  }
}

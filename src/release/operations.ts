import { type Context, defined, isLadingError, LadingError, type LadingEvent, toLadingError } from '../core/index.ts'
import { readObjects } from '../core/yaml/index.ts'
import { deploy, type DeployOptions, type DeployResult, type Intent, type ReleaseEngine } from './deploy.ts'
import type { ReleaseName } from './desired.ts'
import {
  existsAlready,
  isInstalled,
  lastGood,
  noSuchRelease,
  readHistory,
  readHistoryAgain,
  type ReleaseHistory,
  revisionOf,
} from './history.ts'
import { sweepLock } from './lock.ts'
import type { Plan } from './plan.ts'
import type { ReleaseRecord } from './record.ts'
import type { RenderSeed } from '../render/world/index.ts'
import { chartReleaseOf } from './storage/helm-record.ts'
import { tellOnce } from './tell-once.ts'
import { uninstall } from './uninstall.ts'

/** What to install or upgrade to. */
export interface Content extends Omit<Intent, 'operation' | 'target'> {
  /** What the objects can be rendered with again, for a plan that is saved; it holds a secret. */
  readonly renderedWith?: RenderSeed
}

/** Installs a release that is not there; one that failed before it was ever good, or was uninstalled, is installed anew. */
export async function* install(
  engine: ReleaseEngine,
  content: Content,
  options: DeployOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  const { release } = content
  const history = await readHistoryAgain(engine.store, release, content.history, ctx)
  if (isInstalled(history)) {
    await sweepLock(engine.cluster, release, ctx)
    throw existsAlready(release, history)
  }
  return yield* tellOnce(deployOrReturn(engine, { ...content, operation: 'install' }, options, history, ctx))
}

/** Upgrades a release; with `install`, one that is not there is installed. */
export async function* upgrade(
  engine: ReleaseEngine,
  content: Content,
  options: DeployOptions & { readonly install?: boolean },
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  const { release } = content
  const history = await readHistoryAgain(engine.store, release, content.history, ctx)
  if (!isInstalled(history) && options.install === true) {
    return yield* tellOnce(deployOrReturn(engine, { ...content, operation: 'install' }, options, history, ctx))
  }
  if (history.latest === undefined || history.latest.record.state.status === 'uninstalled') throw noSuchRelease(release)
  return yield* tellOnce(deployOrReturn(engine, { ...content, operation: 'upgrade' }, options, history, ctx))
}

/** Makes a release what it was at an earlier revision, as a new one; without a revision, at the last good one before. */
export async function* rollback(
  engine: ReleaseEngine,
  release: ReleaseName,
  revision: number | undefined,
  { plan, ...options }: DeployOptions & { readonly plan?: Plan },
  ctx: Context,
): AsyncGenerator<LadingEvent, DeployResult> {
  const history = await readHistory(engine.store, release, ctx)
  if (history.latest === undefined) throw noSuchRelease(release)
  const target =
    revision === undefined
      ? await lastGood(engine.store, release, history, ctx)
      : await revisionOf(engine.store, release, revision, ctx)
  const intent = intentOf(target.record, 'rollback')
  const approved = plan === undefined ? intent : { ...intent, plan }
  return yield* tellOnce(deployOrReturn(engine, approved, options, history, ctx))
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
    const begun = error.details['revision'] !== undefined
    if (!begun || (options.atomic !== true && error.details['rollback'] !== true)) throw error
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
  // A cancelled operation goes back too, so the way back does not hang on the caller's signal.
  const own: Context = { ...ctx, signal: new AbortController().signal }
  const history = await readHistory(engine.store, release, own)
  const { current, latest } = history
  const failed = failure.details['revision'] as number
  // Another operation has come since, and its outcome is not ours to undo.
  if (latest?.record.version !== failed)
    return 'another operation has worked on the release since, so it stays as it is'
  if (current === undefined) {
    const { deleteCustomResources } = options
    yield { type: 'progress', message: `the install failed and is removed: ${failure.message}` }
    const how = { noHooks: options.noHooks === true, revision: failed, ...defined({ deleteCustomResources }) }
    yield* uninstall(engine, release, how, own)
    return 'what was installed is removed again'
  }
  yield { type: 'progress', message: `going back to revision ${current.record.version}: ${failure.message}` }
  const { atomic: _, ...rest } = options
  yield* deploy(
    engine,
    { ...intentOf(current.record, 'rollback'), after: failed },
    { ...rest, wait: true, description: `Rollback to ${current.record.version}` },
    history,
    own,
  )
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

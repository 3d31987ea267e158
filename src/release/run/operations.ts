import { type Context, type Operation, operation, type OperationOptions } from '../../core/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import { inTime } from '../plan/in-time.ts'
import { installIntent, type ResolvedIntent, rollbackIntent, upgradeIntent } from '../plan/resolve-intent.ts'
import type { ReleaseName } from '../release-name.ts'
import type { DeployResult } from './deploy.ts'
import { deployOrReturn } from './deploy-or-return.ts'

/** Installs a release that is not there; one that failed before it was ever good, or was uninstalled, is installed anew. */
export function install(
  engine: ReleaseEngine,
  content: Content,
  options: DeployOptions & OperationOptions,
  ctx: Context,
): Operation<DeployResult> {
  const resolve = (timed: Context) => installIntent(engine, content, timed)
  return carriedOut('install', engine, content.release, resolve, options, ctx)
}

/** Upgrades a release; with `install`, one that is not there is installed. */
export function upgrade(
  engine: ReleaseEngine,
  content: Content,
  { install: orInstall, ...options }: DeployOptions & OperationOptions & { readonly install?: boolean },
  ctx: Context,
): Operation<DeployResult> {
  const resolve = (timed: Context) => upgradeIntent(engine, content, { install: orInstall }, timed)
  return carriedOut('upgrade', engine, content.release, resolve, options, ctx)
}

/** Makes a release what it was at an earlier revision, as a new one (default: the last good one before the latest). */
export function rollback(
  engine: ReleaseEngine,
  release: ReleaseName,
  revision: number | undefined,
  options: DeployOptions & OperationOptions,
  ctx: Context,
): Operation<DeployResult> {
  const resolve = (timed: Context) => rollbackIntent(engine, release, revision, timed)
  return carriedOut('rollback', engine, release, resolve, options, ctx)
}

function carriedOut(
  name: string,
  engine: ReleaseEngine,
  release: ReleaseName,
  resolve: (timed: Context) => Promise<ResolvedIntent>,
  { onEvent, ...options }: DeployOptions & OperationOptions,
  ctx: Context,
): Operation<DeployResult> {
  const work = () =>
    inTime(release, options, ctx, async function* (timed) {
      const { intent, history } = await resolve(timed)
      return yield* deployOrReturn(engine, intent, options, history, timed)
    })
  return operation(name, work, { onEvent })
}

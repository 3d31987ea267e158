import type { Context } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content, Intent } from '../intent.ts'
import { sweepLock } from '../lock/lock.ts'
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
import type { ReleaseRecord } from '../record/record.ts'
import type { ReleaseName } from '../release-name.ts'
import { chartReleaseOf } from '../storage/helm/helm-record.ts'

/** What to deploy, and the history of the release that it was resolved against. */
export interface ResolvedIntent {
  readonly intent: Intent
  readonly history: ReleaseHistory
}

/** Resolves an install; a release that is there is refused. */
export async function installIntent(engine: ReleaseEngine, content: Content, ctx: Context): Promise<ResolvedIntent> {
  const { release } = content
  const history = await readHistoryAgain(engine.store, release, content.history, ctx)
  if (isInstalled(history)) {
    await sweepLock(engine.cluster, release, ctx)
    throw existsAlready(release, history)
  }
  return { intent: { ...content, operation: 'install' }, history }
}

/** Resolves an upgrade; with `install`, that of a release that is not there is an install. */
export async function upgradeIntent(
  engine: ReleaseEngine,
  content: Content,
  { install }: { readonly install?: boolean },
  ctx: Context,
): Promise<ResolvedIntent> {
  const { release } = content
  const history = await readHistoryAgain(engine.store, release, content.history, ctx)
  const { latest } = history
  if (!isInstalled(history) && install === true) return { intent: { ...content, operation: 'install' }, history }
  if (latest === undefined || latest.record.state.status === 'uninstalled') throw noSuchRelease(release)
  return { intent: { ...content, operation: 'upgrade' }, history }
}

/** Resolves a rollback to a revision (default: the last good one before the latest). */
export async function rollbackIntent(
  engine: ReleaseEngine,
  release: ReleaseName,
  revision: number | undefined,
  ctx: Context,
): Promise<ResolvedIntent> {
  const history = await readHistory(engine.store, release, ctx)
  if (history.latest === undefined) throw noSuchRelease(release)
  const { record } =
    revision === undefined
      ? await lastGood(engine.store, release, history, ctx)
      : await revisionOf(engine.store, release, revision, ctx)
  return { intent: intentOf(record), history }
}

/** A stored revision as something to deploy again: its own source, values and objects. */
export function intentOf(record: ReleaseRecord): Intent {
  const { name, namespace, version, pack, values, userValues, valuesProvenance, notes } = record
  return {
    operation: 'rollback',
    release: { name, namespace },
    objects: [...readObjects(record.manifest), ...record.hooks.map(({ object }) => object)],
    source: pack,
    values,
    userValues,
    provenance: valuesProvenance,
    notes,
    chart: chartReleaseOf(record),
    target: version,
  }
}

import { type Context, isRecord, LadingError, type LadingEvent } from '../core/index.ts'
import { parseYamlValue } from '../core/yaml/index.ts'
import { clusterIdentity } from '../kube/index.ts'
import type { DeployOptions, ReleaseEngine } from './deploy.ts'
import { install, rollback, upgrade } from './operations.ts'
import { maskedSeed } from './mask-plan.ts'
import type { Plan } from './plan.ts'
import { refuseOtherCluster } from './plan-cluster.ts'
import type { ReleaseRecord } from './record.ts'
import { type ContentInputs, renderContent } from './render-content.ts'
import type { SourceOptions } from './source/source.ts'
import { uninstall } from './uninstall.ts'

/** Options that belong to the decision, so that they are saved with it; how long to wait is up to whoever applies. */
export interface PlannedOptions extends Pick<
  DeployOptions,
  | 'conflicts'
  | 'replace'
  | 'adopt'
  | 'foreignFields'
  | 'ignoreManagers'
  | 'defaultIgnores'
  | 'noHooks'
  | 'takeOwnership'
  | 'deleteCustomResources'
  | 'createNamespace'
  | 'historyMax'
  | 'description'
  | 'labels'
> {
  readonly keepHistory?: boolean
}

/** Options of how a plan is carried out, up to whoever applies it. */
export type RunOptions = Pick<
  DeployOptions,
  | 'wait'
  | 'waitForJobs'
  | 'atomic'
  | 'timeoutMs'
  | 'concurrency'
  | 'onError'
  | 'waveWait'
  | 'healthTimeoutMs'
  | 'stabilizationMs'
  | 'failGraceMs'
  | 'statusGraceMs'
>

/**
 * A plan with what it was made from: the content is rendered again when it is applied, so that no Secret is kept in it. Random values
 * come again by the seed of its content, which is as secret as they are: `maskPlan` is for whatever shows a plan.
 */
export interface SavedPlan extends Plan {
  readonly cluster: string
  readonly inputs: {
    /** Absent for a rollback and an uninstall, which bring their own. */
    readonly content?: ContentInputs
    readonly options: PlannedOptions
  }
}

/** What came of a plan. */
export interface AppliedPlan {
  readonly outcome: 'deployed' | 'unchanged' | 'uninstalled'
  readonly record?: ReleaseRecord
}

/** Makes a plan one that can be saved and applied later: it names its cluster and what it was made from. */
export async function toSavedPlan(
  { cluster }: ReleaseEngine,
  plan: Plan,
  inputs: SavedPlan['inputs'],
  ctx: Context,
): Promise<SavedPlan> {
  return { ...plan, cluster: await clusterIdentity(cluster, ctx), inputs }
}

/** Reads a saved plan, from JSON or YAML. */
export function parsePlan(text: string, name: string): SavedPlan {
  const value = parseYamlValue(text, { file: name })
  const problem = problemOf(value)
  if (problem === undefined) return value as SavedPlan
  throw new LadingError('plan.invalid', `${name} is no plan: ${problem}`, { file: name })
}

/** Carries out exactly what was planned, or refuses when the source, the release or the cluster has moved since. */
export async function* applyPlan(
  engine: ReleaseEngine,
  saved: SavedPlan,
  options: RunOptions,
  reading: Pick<SourceOptions, 'stdin' | 'cwd' | 'artifacts' | 'fetchChart'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, AppliedPlan> {
  const { inputs, ...plan } = saved
  const { keepHistory, ...planned } = inputs.options
  const { release, operation } = plan
  const { cluster } = engine
  if (!isText(saved.cluster)) throw new LadingError('plan.invalid', 'the plan does not name its cluster')
  await refuseOtherCluster(cluster, saved, ctx)
  if (operation === 'uninstall') {
    const kept = keepHistory === undefined ? {} : { keepHistory }
    const { record } = yield* uninstall(engine, release, { ...planned, ...kept, ...options, plan }, ctx)
    return { outcome: 'uninstalled', record }
  }
  const all = { ...planned, ...options }
  if (operation === 'rollback') return applied(yield* rollback(engine, release, plan.target, { ...all, plan }, ctx))
  if (inputs.content === undefined) throw new LadingError('plan.invalid', 'the plan does not say what to render')
  const content = {
    ...(await renderContent(engine.store, release, inputs.content, { ...reading, cluster }, ctx)),
    plan,
  }
  if (operation === 'install') return applied(yield* install(engine, content, all, ctx))
  return applied(yield* upgrade(engine, content, all, ctx))
}

function applied({ outcome, record }: { outcome: string; record?: ReleaseRecord }): AppliedPlan {
  const known = record === undefined ? {} : { record }
  return { outcome: outcome === 'unchanged' ? 'unchanged' : 'deployed', ...known }
}

const operations: readonly unknown[] = ['install', 'upgrade', 'rollback', 'uninstall']

function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no map'
  const { format, operation, release, cluster, previous, objectsHash, target, actions, inputs } = value
  if (format !== 'lading.dev/plan/v1') return 'its format is not lading.dev/plan/v1'
  if (!operations.includes(operation)) return 'operation is none that Lading knows'
  if (!isRecord(release) || !isText(release['name']) || !isText(release['namespace'])) return 'release is not named'
  if (!isText(cluster)) return 'it does not name its cluster'
  if (!isCount(previous)) return 'previous is no revision'
  if (target !== undefined && !isCount(target)) return 'target is no revision'
  if (!isText(objectsHash)) return 'objectsHash is missing'
  if (!Array.isArray(actions) || !actions.every(isAction)) return 'actions are not those of a plan'
  return inputsProblem(inputs)
}

function inputsProblem(inputs: unknown): string | undefined {
  if (!isRecord(inputs) || !isRecord(inputs['options'])) return 'inputs are missing'
  const { content } = inputs
  if (content === undefined) return undefined
  if (!isRecord(content) || !isText(content['source'])) return 'inputs name no source'
  const { files = [], set = [], seed, renderedAt } = content
  if (seed === maskedSeed) {
    return 'its seed is masked, since it was printed; apply the file that `lading plan --out FILE` saves'
  }
  if (seed !== undefined && !isText(seed)) return 'the seed of its random values cannot be read'
  if (renderedAt !== undefined && (!isText(renderedAt) || Number.isNaN(Date.parse(renderedAt)))) {
    return 'renderedAt is not a time'
  }
  if (!Array.isArray(files) || !files.every(isText)) return 'the values files of its inputs are not named'
  return Array.isArray(set) && set.every(isSetting) ? undefined : 'the values of its inputs are not set by flags'
}

function isSetting(value: unknown): boolean {
  return isRecord(value) && isText(value['flag']) && typeof value['text'] === 'string'
}

function isAction(action: unknown): boolean {
  if (!isRecord(action) || !isRecord(action['ref']) || !isText(action['action'])) return false
  const { group, version, kind, name } = action['ref']
  const { liveVersion } = action
  return typeof group === 'string' && isText(version) && isText(kind) && isText(name) && liveVersion !== undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

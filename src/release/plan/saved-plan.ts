import { randomBytes } from 'node:crypto'
import {
  type Context,
  followDuring,
  followWithinDeadline,
  isRecord,
  LadingError,
  type LadingEvent,
} from '../../core/index.ts'
import { parseYamlValue } from '../../core/yaml/index.ts'
import { clusterIdentity } from '../../kube/index.ts'
import type { DeployOptions, ReleaseEngine } from '../run/deploy.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import { maskedSeed } from './mask-plan.ts'
import { defaultTimeoutMs } from '../run/perform.ts'
import type { Plan } from './plan.ts'
import { planNamespace, refuseOtherCluster, refuseOtherNamespace } from './plan-cluster.ts'
import { verifyPlan } from './plan-signature.ts'
import { refuseExpired, refuseUsed } from './plan-use.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { type ContentInputs, renderContent } from '../source/render-content.ts'
import type { SourceOptions } from '../source/source.ts'
import { uninstall } from '../run/uninstall.ts'

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
  | 'healthUrls'
>

/** How a plan is applied, and who has to have signed it. */
export interface ApplyPlanOptions extends RunOptions {
  /** Public keys, in PEM: a plan that none of them signed is refused before anything is sent to the cluster. */
  readonly verifyKeys?: readonly string[]
}

/**
 * A plan with what it was made from: the content is rendered again when it is applied, so that no Secret is kept in it. Random values
 * come again by the seed of its content, which is as secret as they are, and so is the key of what it tells of Secrets: `maskPlan` is for whatever
 * shows a plan. It is applied once, on its cluster, before it expires.
 */
export interface SavedPlan extends Plan {
  readonly cluster: string
  readonly nonce: string
  readonly expiresAt: string
  /** Signatures of the hash, in base64; see `signPlan`. */
  readonly signatures?: readonly string[]
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

/** How long a plan can be applied unless told. */
export const defaultPlanLifetimeMs = 86_400_000

/** Makes a plan one that can be saved and applied later: it has an identity, and names what it was made from. */
export async function toSavedPlan(
  { cluster }: ReleaseEngine,
  plan: Plan,
  inputs: SavedPlan['inputs'],
  { lifetimeMs = defaultPlanLifetimeMs }: { readonly lifetimeMs?: number | undefined },
  ctx: Context,
): Promise<SavedPlan> {
  return {
    ...plan,
    cluster: await clusterIdentity(cluster, ctx),
    ...(await planNamespace(cluster, plan.release, ctx)),
    nonce: randomBytes(16).toString('hex'),
    expiresAt: new Date(Date.parse(plan.createdAt) + lifetimeMs).toISOString(),
    inputs,
  }
}

/** Reads a saved plan, from JSON or YAML. */
export function parsePlan(text: string, name: string): SavedPlan {
  const value = parseYamlValue(text, { file: name })
  const problem = problemOf(value)
  if (problem === undefined) return value as SavedPlan
  throw new LadingError('plan.invalid', `${name} is no plan: ${problem}`, { file: name })
}

/**
 * Carries out exactly what was planned, once. The plan is made anew under the lock, and the saved one is refused if it says anything else;
 * it is also refused after it was applied, after it expired, and on another cluster.
 */
export function applyPlan(
  engine: ReleaseEngine,
  saved: SavedPlan,
  options: ApplyPlanOptions,
  reading: Pick<SourceOptions, 'stdin' | 'cwd' | 'artifacts' | 'fetchChart'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, AppliedPlan> {
  return followWithinDeadline(options.timeoutMs ?? defaultTimeoutMs, ctx, (timed) =>
    followDuring('checking the plan', timed, applyInTime(engine, saved, options, reading, timed)),
  )
}

async function* applyInTime(
  engine: ReleaseEngine,
  saved: SavedPlan,
  { verifyKeys = [], ...options }: ApplyPlanOptions,
  reading: Pick<SourceOptions, 'stdin' | 'cwd' | 'artifacts' | 'fetchChart'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, AppliedPlan> {
  const { inputs, signatures: _, ...plan } = saved
  const problem = identityProblem(saved)
  if (problem !== undefined) throw new LadingError('plan.invalid', `the plan cannot be applied: ${problem}`)
  verifyPlan(saved, verifyKeys)
  refuseExpired(saved, ctx)
  const { keepHistory, ...planned } = inputs.options
  const { release, operation } = plan
  const { cluster } = engine
  await refuseOtherCluster(cluster, saved, ctx)
  await refuseUsed(cluster, plan, ctx)
  await refuseOtherNamespace(cluster, plan, ctx)
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
  const { format, operation, release, previous, objectsHash, target, actions, hooks, signatures = [], inputs } = value
  if (format !== 'lading.dev/plan/v1') return 'its format is not lading.dev/plan/v1'
  if (!operations.includes(operation)) return 'operation is none that Lading knows'
  if (!isRecord(release) || !isText(release['name']) || !isText(release['namespace'])) return 'release is not named'
  const identity = identityProblem(value)
  if (identity !== undefined) return identity
  if (!isCount(previous)) return 'previous is no revision'
  if (target !== undefined && !isCount(target)) return 'target is no revision'
  if (!isText(objectsHash)) return 'objectsHash is missing'
  if (!Array.isArray(actions) || !actions.every(isAction)) return 'actions are not those of a plan'
  if (!Array.isArray(hooks) || !hooks.every(isRecord)) return 'hooks are not those of a plan'
  if (!Array.isArray(signatures) || !signatures.every(isText)) return 'signatures are not a list of texts'
  return inputsProblem(inputs)
}

type Identity = { readonly [Part in 'cluster' | 'nonce' | 'expiresAt' | 'key']?: unknown }

function identityProblem({ cluster, nonce, expiresAt, key }: Identity): string | undefined {
  if (!isText(cluster)) return 'it does not name its cluster'
  if (!isText(nonce) || !/^[0-9a-f]{32}$/.test(nonce)) return 'it has no nonce'
  if (!isText(expiresAt) || Number.isNaN(Date.parse(expiresAt))) return 'it does not say when it expires'
  if (key === maskedSeed) {
    return 'its key is masked, since it was printed; apply the file that `lading plan --out FILE` saves'
  }
  return key === undefined || (isText(key) && /^[0-9a-f]{64}$/.test(key)) ? undefined : 'its key cannot be read'
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
  if (Array.isArray(set) && set.some((each) => isRecord(each) && each['text'] === maskedSeed)) {
    return 'what --set gave is masked, since it was printed; apply the file that `lading plan --out FILE` saves'
  }
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

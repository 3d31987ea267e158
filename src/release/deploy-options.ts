import type { ApplySetOptions, ReadinessRule } from '../kube/index.ts'
import type { HealthUrls } from './health/url-access.ts'
import type { ForeignOptions } from './ownership/foreign-policy.ts'

/** How an operation is carried out. */
export interface DeployOptions
  extends Pick<ApplySetOptions, 'conflicts' | 'replace' | 'adopt' | 'concurrency'>, ForeignOptions {
  /** Whether fields that others added to objects of the release stay or are removed (default: `keep`). */
  readonly foreignFields?: 'keep' | 'remove'
  /** Limit of the whole operation, from the first request on: the lock, hooks and waits included (default: five minutes). */
  readonly timeoutMs?: number
  /** Wait until everything is ready. */
  readonly wait?: boolean
  /** With `wait`, also wait until the Jobs have completed; otherwise they only have to start, as with Helm. */
  readonly waitForJobs?: boolean
  /** Go back to where the release was when something fails; implies `wait`. */
  readonly atomic?: boolean
  readonly noHooks?: boolean
  /** `continue` applies what can be applied and then fails with what cannot; nothing is removed then (default: `stop`). */
  readonly onError?: 'stop' | 'continue'
  /** Take objects that exist and belong to nobody, or to another release. */
  readonly takeOwnership?: boolean
  /** Delete CRDs although custom resources that the release does not own go with them. */
  readonly deleteCustomResources?: boolean
  /** Delete what the release no longer wants (default: true). What stays is still the release's, and a later upgrade prunes it. */
  readonly prune?: boolean
  readonly createNamespace?: boolean
  /** How many revisions are kept, 0 for all (default: 10). */
  readonly historyMax?: number
  readonly description?: string
  /** Laid over the labels of the revision before; the value `null` takes one away. */
  readonly labels?: Readonly<Record<string, string>>
  readonly rules?: readonly ReadinessRule[]
  /** Wait until a wave is ready before the next one begins (default: true). */
  readonly waveWait?: boolean
  /** Limit for each wave to become healthy, and for the window (default: what is left of the operation's own). */
  readonly healthTimeoutMs?: number
  /** How long everything has to stay healthy before the release counts as good; implies `wait`. */
  readonly stabilizationMs?: number
  /** How long failures that may heal by themselves may last (default: a time for each kind of failure). */
  readonly failGraceMs?: number
  /** How long the first status of a custom resource is waited for (default: 10 s). */
  readonly statusGraceMs?: number
  /** Which addresses the url checks of objects may ask (default: none). */
  readonly healthUrls?: HealthUrls
}

/** The default limit of an operation: five minutes. */
export const defaultTimeoutMs = 300_000

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
  | 'prune'
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
  | 'rules'
>

/** How a plan is made. */
export type PlanOptions = PlannedOptions & Pick<RunOptions, 'timeoutMs' | 'concurrency'>

const plannedNames: readonly (keyof PlannedOptions)[] = [
  'conflicts',
  'replace',
  'adopt',
  'foreignFields',
  'ignoreManagers',
  'defaultIgnores',
  'noHooks',
  'takeOwnership',
  'deleteCustomResources',
  'createNamespace',
  'historyMax',
  'description',
  'labels',
  'prune',
  'keepHistory',
]

/** The options that belong to the decision, of all that were given. */
export function plannedPart(options: PlannedOptions): PlannedOptions {
  const given = plannedNames.filter((name) => options[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, options[name]]))
}

import { isRecord, LadingError } from '../../core/index.ts'
import { parseYamlValue } from '../../core/yaml/index.ts'
import type { PlannedOptions } from '../deploy-options.ts'
import type { Content } from '../intent.ts'
import type { Plan } from '../plan.ts'
import type { ContentInputs } from '../source/content-inputs.ts'
import { maskedSeed } from './mask-plan.ts'

/**
 * A plan with what it was made from: a source is rendered again when the plan is applied, so that no Secret is kept in it. Random values
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
    /** The source that is rendered again; absent for a rollback and an uninstall, which bring their own. */
    readonly content?: ContentInputs
    /** The objects themselves, where they were made in code; never a Secret. */
    readonly made?: SavedContent
    readonly options: PlannedOptions
  }
}

/** What a saved plan keeps of content that was made in code. */
export type SavedContent = Pick<Content, 'objects' | 'source' | 'values' | 'userValues' | 'provenance' | 'notes'>

/** Reads a saved plan, from JSON or YAML. */
export function parsePlan(text: string, name: string): SavedPlan {
  const value = parseYamlValue(text, { file: name })
  const problem = problemOf(value)
  if (problem === undefined) return value as SavedPlan
  throw new LadingError('plan.invalid', `${name} is no plan: ${problem}`, { file: name })
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

/** Why a value has not what makes a plan a saved one, or undefined if it has. */
export function identityProblem({ cluster, nonce, expiresAt, key }: Identity): string | undefined {
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
  const { content, made } = inputs
  if (made !== undefined) return madeProblem(made)
  return content === undefined ? undefined : contentProblem(content)
}

function contentProblem(content: unknown): string | undefined {
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

function madeProblem(made: unknown): string | undefined {
  if (!isRecord(made)) return 'inputs.made is no map'
  const { objects, source, values, provenance } = made
  if (values === maskedSeed) {
    return 'its values are masked, since it was printed; apply the plan that savePlan() gave'
  }
  if (!Array.isArray(objects) || !objects.every(isObject)) return 'inputs.made holds no objects'
  const isWhole = isRecord(source) && isRecord(values) && isRecord(provenance)
  return isWhole ? undefined : 'inputs.made does not say where its objects came from'
}

function isObject(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value['metadata'])) return false
  return isText(value['apiVersion']) && isText(value['kind']) && isText(value['metadata']['name'])
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

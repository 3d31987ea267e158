import { defined, isLadingError, isRecord, type KubeObject, mergePatch } from '../../../core/index.ts'
import { readObjects } from '../../../core/yaml/index.ts'
import type { HookPhase, HookRecord, HookRun } from '../../record/record.ts'
import { decodeText, parseStored } from '../codec.ts'
import { withoutSources } from './helm-manifest.ts'
import {
  type HelmChart,
  type HelmHookText,
  type HelmRecord,
  type HelmRelease,
  type OwnFacts,
  takeOwnFacts,
} from './helm-release.ts'
import { helmStatus, stateOfHelm } from './helm-state.ts'
import { inventoryOf, stateOf } from '../record-json.ts'
import { unreadableError } from '../store-error.ts'

/** A record as far as Helm's release tells it; `complete` when Lading wrote that very revision. */
export interface ReadHelm {
  readonly record: HelmRecord
  readonly complete: boolean
}

/** Reads the `release` text of one of Helm's Secrets. */
export function readHelmRelease(text: string, labels: Readonly<Record<string, string>>, where: string): ReadHelm {
  const release = parseRelease(decodeText(text, where), where)
  const { chart, facts } = takeOwnFacts(release.chart)
  const { name, info, chart: _, config, manifest, hooks, version, namespace, ...rest } = release
  const own = ownRecord(facts, release, where)
  const { userValues, ...withoutUserValues } = own ?? {}
  const values = valuesOf(chart, config ?? {}, facts, own)
  const { first_deployed, resources, rollback_revision } = info
  const kept = defined({ first_deployed, resources, rollback_revision })
  const { source } = facts ?? {}
  const complete = own !== undefined && facts?.version === version
  const record: HelmRecord = {
    ...factsOfHelm(release, chart, labels),
    ...withoutUserValues,
    name,
    namespace,
    version,
    values,
    ...(userValues !== null && { userValues: config ?? {} }),
    manifest: source === undefined ? (manifest ?? '') : withoutSources(manifest ?? '', source.name, source.led),
    hooks: (hooks ?? []).map((hook) => hookOf(hook, where)),
    ...(typeof info['notes'] === 'string' && info['notes'] !== '' && { notes: info['notes'] }),
    helm: {
      ...(chart !== undefined && facts?.standIn !== true && { chart }),
      hooks: (hooks ?? []).flatMap(hookText),
      ...(!complete && { foreign: true }),
      info: kept,
      rest,
    },
  }
  return { record, complete }
}

function parseRelease(json: string, where: string): HelmRelease {
  const value = parseStored(json, where)
  if (!isRecord(value) || !isRecord(value['info'])) throw unreadableError(where, 'it holds no release')
  const { name, version, namespace } = value
  if (typeof name !== 'string' || typeof version !== 'number' || typeof namespace !== 'string') {
    throw unreadableError(where, 'it does not name its release')
  }
  const problem = flawOf(value)
  if (problem !== undefined) throw unreadableError(where, problem)
  return value as unknown as HelmRelease
}

/** What of a release has another form than Helm gives it: anybody who may write Secrets could have written it. */
function flawOf({ chart, config, manifest, hooks, version }: Record<string, unknown>): string | undefined {
  if (!Number.isSafeInteger(version) || Number(version) < 1) return 'version is no revision'
  if (!isMap(config)) return 'config is no map'
  if (!isNothing(manifest) && typeof manifest !== 'string') return 'manifest is no text'
  if (!isListOfMaps(hooks)) return 'hooks are no list of maps'
  if (isNothing(chart)) return undefined
  if (!isRecord(chart) || !isMap(chart['metadata']) || !isMap(chart['values'])) return 'chart is none'
  return isListOfMaps(chart['files']) ? undefined : 'the files of the chart are no list of maps'
}

// Go writes what is empty as null.
function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isMap(value: unknown): boolean {
  return isNothing(value) || isRecord(value)
}

function isListOfMaps(value: unknown): boolean {
  return isNothing(value) || (Array.isArray(value) && value.every(isRecord))
}

/** What Lading kept, as far as it still holds: Helm may have copied it to another revision, or moved the revision on. */
function ownRecord(
  facts: OwnFacts | undefined,
  release: HelmRelease,
  where: string,
): Readonly<Record<string, unknown>> | undefined {
  if (facts === undefined || !isRecord(facts.record)) return undefined
  const { pack, valuesProvenance, values, userValues, inventory } = facts.record
  inventoryOf(inventory, where)
  if (![pack, valuesProvenance, values, userValues].every(isMap))
    throw unreadableError(where, 'what Lading kept is damaged')
  if (facts.version !== release.version) return defined({ pack, valuesProvenance, values, userValues })
  const state = stateOf(facts.record['state'], where)
  if (helmStatus(state) === release.info['status']) return facts.record
  const { state: _, description: __, updatedAt, ...rest } = facts.record
  // Being superseded does not change when it was deployed.
  return release.info['status'] === 'superseded' ? { ...rest, updatedAt } : rest
}

/** A record from what Helm itself writes. */
function factsOfHelm(
  release: HelmRelease,
  chart: HelmChart | undefined,
  labels: Readonly<Record<string, string>>,
): Pick<
  HelmRecord,
  'state' | 'pack' | 'valuesProvenance' | 'inventory' | 'labels' | 'createdAt' | 'updatedAt' | 'description'
> {
  const { info, version } = release
  const metadata = chart?.metadata ?? {}
  const at = textOf(info['last_deployed']) ?? textOf(info['first_deployed']) ?? epoch
  const description = textOf(info['description'])
  const rollback = info['rollback_revision']
  const facts = { status: textOf(info['status']) ?? 'unknown', version, at, description: description ?? '' }
  return {
    state: stateOfHelm({ ...facts, ...(typeof rollback === 'number' && { rollbackRevision: rollback }) }),
    pack: {
      type: 'chart',
      name: textOf(metadata['name']) ?? release.name,
      ...defined({ version: textOf(metadata['version']), appVersion: textOf(metadata['appVersion']) }),
    },
    valuesProvenance: { sources: {} },
    inventory: [],
    labels: customLabels(labels),
    createdAt: at,
    updatedAt: textOf(info['deleted']) ?? at,
    ...(description !== undefined && { description }),
  }
}

const epoch = '1970-01-01T00:00:00Z'
const systemLabels = ['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt']

function customLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !systemLabels.includes(key)))
}

/** Helm keeps the defaults in the chart and what the user gave in `config`, where null removes a default. */
function valuesOf(
  chart: HelmChart | undefined,
  config: Readonly<Record<string, unknown>>,
  facts: OwnFacts | undefined,
  own: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  if (isRecord(own?.['values'])) return own['values']
  if (facts?.standIn === true) return { ...chart?.values }
  return mergePatch(chart?.values ?? {}, config) as Record<string, unknown>
}

const phases: readonly HookPhase[] = [
  ...(['pre-install', 'post-install', 'pre-upgrade', 'post-upgrade', 'pre-rollback', 'post-rollback'] as const),
  ...(['pre-delete', 'post-delete', 'test'] as const),
]

function hookOf(hook: Readonly<Record<string, unknown>>, where: string): HookRecord {
  const events = Array.isArray(hook['events']) ? hook['events'] : []
  const known = events.map((event: unknown) => (event === 'test-success' ? 'test' : event) as HookPhase)
  const { path, weight } = hook
  const lastRun = lastRunOf(hook['last_run'])
  return {
    object: hookObject(hook, where),
    phases: known.filter((phase) => phases.includes(phase)),
    weight: typeof weight === 'number' ? weight : 0,
    ...(typeof path === 'string' && path !== '' && { path }),
    ...(lastRun !== undefined && { lastRun }),
  }
}

/** The hook in the words of whoever wrote it, for when the revision is written again. */
function hookText(hook: Readonly<Record<string, unknown>>): HelmHookText[] {
  const { kind, name, path, manifest } = hook
  const texts = [kind, name, path, manifest]
  if (!texts.every((text) => typeof text === 'string')) return []
  return [{ kind, name, path, manifest } as HelmHookText]
}

function hookObject(hook: Readonly<Record<string, unknown>>, where: string): KubeObject {
  try {
    const [object] = readObjects(textOf(hook['manifest']) ?? '')
    if (object !== undefined) return object
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw unreadableError(where, `the hook ${String(hook['name'])} is no object: ${error.message}`, error)
  }
  throw unreadableError(where, `the hook ${String(hook['name'])} is empty`)
}

function lastRunOf(value: unknown): HookRun | undefined {
  if (!isRecord(value)) return undefined
  const startedAt = textOf(value['started_at'])
  const phase = textOf(value['phase'])
  if (startedAt === undefined || phase === undefined) return undefined
  const completedAt = textOf(value['completed_at'])
  return { phase: phase as HookRun['phase'], startedAt, ...(completedAt !== undefined && { completedAt }) }
}

// Go writes a time that was never set as the year one.
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('0001-01-01T') ? value : undefined
}

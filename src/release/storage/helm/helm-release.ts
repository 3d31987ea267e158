import { parseJson, stringifyJson } from '../../../core/index.ts'
import { writeYaml } from '../../../core/yaml/index.ts'
import { annotationList } from '../../annotations/annotations.ts'
import type { HookRecord, ReleaseRecord } from '../../record/record.ts'
import { isLed, withoutSources, withSources } from './helm-manifest.ts'
import { helmStatus } from './helm-state.ts'

/** A file of a chart as Helm keeps it: its content in base64. */
export interface HelmFile {
  readonly name: string
  readonly data: string
}

/** A chart as Helm keeps it in a release. */
export interface HelmChart {
  readonly metadata?: Readonly<Record<string, unknown>> | null
  readonly values?: Readonly<Record<string, unknown>> | null
  readonly files?: readonly HelmFile[] | null
  readonly [field: string]: unknown
}

/** A release as Helm keeps it. */
export interface HelmRelease {
  readonly name: string
  readonly namespace: string
  readonly version: number
  readonly info: Readonly<Record<string, unknown>>
  readonly chart?: HelmChart | null
  readonly config?: Readonly<Record<string, unknown>> | null
  readonly manifest?: string | null
  readonly hooks?: readonly Readonly<Record<string, unknown>>[] | null
  readonly [field: string]: unknown
}

/**
 * What a record from Helm's storage carries beside Lading's own fields, and gives back when it is written again: the
 * chart, and the fields of a release that have no other place. A record of a chart may bring its chart along this way.
 */
export interface HelmParts {
  /** Helm wrote this revision itself: while it pends, helm may be at work on it. */
  readonly foreign?: boolean
  readonly chart?: HelmChart
  /** The texts of the hooks; one that is missing is written anew. */
  readonly hooks?: readonly HelmHookText[]
  readonly info?: Readonly<Record<string, unknown>>
  readonly rest?: Readonly<Record<string, unknown>>
}

/** A document of a chart that is a hook, as the chart's template gave it. */
export interface HelmHookText {
  readonly kind: string
  readonly name: string
  readonly path: string
  readonly manifest: string
}

/** What Helm's record of a release of a chart holds, in the words of the chart's own templates. */
export interface ChartRelease {
  readonly chart: HelmChart
  readonly manifest: string
  readonly hooks: readonly HelmHookText[]
}

/** A record that may carry what only Helm knows. */
export interface HelmRecord extends ReleaseRecord {
  readonly helm?: HelmParts
}

/**
 * Where Lading keeps what Helm has no field for: a file of the chart. Helm never looks at it, and keeps it when it
 * rewrites a revision or rolls back to one; annotations and further keys of the Secret it drops.
 */
export const ownFile = '.lading/release.json'

/** What Lading keeps there. */
export interface OwnFacts {
  readonly version: number
  readonly record: Readonly<Record<string, unknown>>
  /** The chart is made up: its values are those that the release had. */
  readonly standIn: boolean
  /** The comment that was put over each document of the manifest, and whether `---` stood before the first one. */
  readonly source?: { readonly name: string; readonly led: boolean }
}

/** The release that Helm shall find for a record. */
export function toHelm(record: HelmRecord): HelmRelease {
  const { name, namespace, version, state, userValues, values, notes } = record
  const { helm = {} } = record
  const source = `${chartName(record)}/manifest.yaml`
  const manifest = withSources(record.manifest, source)
  const led = isLed(record.manifest)
  // A chart's manifest is in its templates' own words already.
  const marked =
    helm.chart === undefined &&
    manifest !== record.manifest &&
    withoutSources(manifest, source, led) === record.manifest
  const facts: OwnFacts = {
    version,
    record: ownFields(record),
    standIn: helm.chart === undefined,
    ...(marked && { source: { name: source, led } }),
  }
  const { first_deployed: first = record.createdAt, ...info } = helm.info ?? {}
  return {
    ...helm.rest,
    // Helm 4 rolls back by the method of its target, and server-side it meets our field manager as a conflict. So whatever
    // Lading writes, also over a revision of Helm's that it supersedes, is for Helm's client-side way.
    apply_method: 'csa',
    name,
    info: {
      ...info,
      first_deployed: first,
      last_deployed: record.createdAt,
      deleted: state.status === 'uninstalled' ? record.updatedAt : '',
      description: state.status === 'failed' ? state.reason : (record.description ?? ''),
      status: helmStatus(state),
      ...(notes !== undefined && { notes }),
      ...(state.status === 'pending-rollback' && { rollback_revision: state.target_version }),
    },
    chart: withOwnFile(helm.chart ?? standInChart(record), facts),
    ...configOf(userValues ?? values),
    manifest: marked ? manifest : record.manifest,
    hooks: record.hooks.map((hook) => toHelmHook(hook, helm.hooks ?? [])),
    version,
    namespace,
  }
}

/** The fields of a record that have no place of their own in Helm's release. */
function ownFields(record: HelmRecord): Record<string, unknown> {
  const { helm, values, userValues, manifest: _, hooks: __, notes: ___, ...own } = record
  return {
    ...own,
    ...(helm?.chart !== undefined && { values }),
    // `config` holds the values where there are none of the user.
    ...(userValues === undefined && { userValues: null }),
  }
}

/** Takes Lading's own facts out of a chart. */
export function takeOwnFacts(chart: HelmChart | null | undefined): { chart?: HelmChart; facts?: OwnFacts } {
  if (chart === undefined || chart === null) return {}
  const files = chart.files ?? []
  const own = files.find((file) => file.name === ownFile)
  if (own === undefined) return { chart }
  const rest = { ...chart, files: files.filter((file) => file !== own) }
  try {
    return { chart: rest, facts: parseJson(Buffer.from(own.data, 'base64').toString('utf8')) as OwnFacts }
  } catch {
    return { chart: rest }
  }
}

function withOwnFile(chart: HelmChart, facts: OwnFacts): HelmChart {
  const data = Buffer.from(stringifyJson(facts), 'utf8').toString('base64')
  const files = (chart.files ?? []).filter((file) => file.name !== ownFile)
  return { ...chart, files: [...files, { name: ownFile, data }] }
}

/** A chart for what came from none: it renders nothing, and its values are those that the release had. */
function standInChart(record: ReleaseRecord): HelmChart {
  const { version = '', appVersion } = record.pack
  return {
    metadata: {
      name: chartName(record),
      version: semver.test(version) ? version : '0.0.0',
      ...(appVersion !== undefined && { appVersion }),
      apiVersion: 'v2',
      type: 'application',
      description: `A ${record.pack.type} that was installed by Lading`,
    },
    lock: null,
    templates: [],
    values: record.values,
    schema: null,
    files: [],
  }
}

const semver = /^v?\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/

function chartName(record: ReleaseRecord): string {
  const name = record.pack.name.replaceAll(/[^0-9A-Za-z._-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'release' : name
}

// Helm leaves out what is empty.
function configOf(config: Readonly<Record<string, unknown>>): Pick<HelmRelease, 'config'> {
  return Object.keys(config).length === 0 ? {} : { config }
}

function toHelmHook(hook: HookRecord, texts: readonly HelmHookText[]): Record<string, unknown> {
  const { object, phases, weight, lastRun } = hook
  const text = texts.find(({ kind, name }) => kind === object.kind && name === object.metadata.name)
  const path = text?.path ?? hook.path
  const given = annotationList(object, 'hook-delete-policy')
  // Helm writes its default down when it runs the hook.
  const policies = given.length === 0 && lastRun !== undefined ? ['before-hook-creation'] : given
  const outputs = annotationList(object, 'hook-output-log-policy')
  return {
    name: object.metadata.name,
    kind: object.kind,
    ...(path !== undefined && { path }),
    manifest: text?.manifest ?? writeYaml(object),
    events: phases,
    last_run: {
      ...(lastRun !== undefined && { started_at: lastRun.startedAt }),
      ...(lastRun?.completedAt !== undefined && { completed_at: lastRun.completedAt }),
      phase: lastRun?.phase ?? '',
    },
    ...(weight !== 0 && { weight }),
    ...(policies.length > 0 && { delete_policies: policies }),
    ...(outputs.length > 0 && { output_log_policies: outputs }),
  }
}

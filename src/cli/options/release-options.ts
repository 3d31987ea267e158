import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { defined, LadingError } from '../../core/index.ts'
import type { ContentInputs, HealthUrls, PlannedOptions, RunOptions, UninstallOptions } from '../../release/index.ts'
import { pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import { addForeignOptions, type ForeignFlags, foreignOptions } from './foreign-options.ts'
import { collect, parseDuration, wholeNumber } from './options.ts'
import { addArtifactOptions } from './registry-options.ts'
import { addProgramOptions, type ProgramFlags } from './program-options.ts'
import { addRemoteOptions, type RemoteFlags, remoteOptions } from './remote-options.ts'

/** How progress is shown. */
export type ProgressStyle = 'auto' | 'plain' | 'json' | 'none'

/** Flags of a SOURCE, its values and how a chart is rendered. */
export interface ContentFlags extends NonNullable<ContentInputs['chart']>, RemoteFlags, ProgramFlags {
  readonly values?: readonly string[]
  readonly set?: readonly string[]
  readonly setString?: readonly string[]
  readonly setFile?: readonly string[]
  readonly setJson?: readonly string[]
  readonly setLiteral?: readonly string[]
  readonly recursive?: boolean
  readonly enableHelm?: boolean
  readonly reuseValues?: boolean
  readonly resetValues?: boolean
  readonly resetThenReuseValues?: boolean
}

/** Flags of what a plan decides. */
export interface DecisionFlags extends ForeignFlags {
  readonly hooks?: boolean
  readonly description?: string
  readonly forceConflicts?: boolean
  readonly takeOwnership?: boolean
  readonly deleteCustomResources?: boolean
  readonly replace?: boolean
  readonly adopt?: readonly ('kubectl' | 'helm')[]
  readonly createNamespace?: boolean
  readonly historyMax?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly keepHistory?: boolean
}

/** Flags of how an operation is carried out. */
export interface RunFlags {
  readonly wait?: boolean
  readonly waitForJobs?: boolean
  readonly atomic?: boolean
  readonly timeout?: number
  readonly concurrency?: number
  readonly onError?: 'stop' | 'continue'
  readonly waveWait?: boolean
  readonly healthTimeout?: number
  readonly stabilization?: number
  readonly failGrace?: number
  readonly statusGrace?: number
  readonly allowHealthUrl?: readonly string[]
  readonly allowLocalHealthUrl?: boolean
  readonly progress?: ProgressStyle
}

/** What a SOURCE can be, for the help of commands that take one. */
export const sourceHelp =
  'a manifest file or folder, - for standard input, a kustomization, a chart (folder, .tgz or REPO/NAME), a pack, a program (.ts, .js), or oci://…'

/** Declares the flags of a SOURCE's values. */
export function addContentOptions(command: Command): Command {
  return command
    .option(
      '-f, --values <file>',
      'values from YAML files, - for standard input; may be repeated, or have commas',
      collect,
    )
    .option('--set <path=value>', 'values, such as a.b=1,c={x,y}; may be repeated', collect)
    .option('--set-string <path=value>', 'as --set, always strings', collect)
    .option('--set-file <path=file>', 'as --set, the value is the content of the file', collect)
    .option('--set-json <path=json>', 'as --set, the value is JSON', collect)
    .option('--set-literal <path=value>', 'one value, taken as it stands with commas, braces and backslashes', collect)
    .option('--recursive', 'go into the folders of a folder of manifests too')
}

/** What `--follow-links` does, wherever a chart's folder is read. */
export const followLinksHelp =
  'follow symlinks of a chart’s folder that lead out of its repository (default: only inside, or to a chart beside it)'

/** Declares the flags of a SOURCE that is a chart, and of how artifacts are read. */
export function addSourceOptions(command: Command): Command {
  return addArtifactOptions(
    addProgramOptions(addRemoteOptions(command))
      .option('--repo <url>', 'chart repository, in which the source is the name of a chart')
      .option(
        '--version <version>',
        'version of a chart in a registry or repository, or a range such as ^1.2 (default: the newest)',
      )
      .option('--kube-version <version>', 'what charts take for the version of the cluster')
      .option('-a, --api-versions <version>', 'what charts find served beside the rest; may be repeated', collectList)
      .option('--skip-crds', 'leave out what stands in a chart’s crds/')
      .option('--skip-schema-validation', 'do not hold values to a chart’s values.schema.json')
      .option('--skip-tests', 'leave out a chart’s tests')
      .option('--follow-links', followLinksHelp)
      .option('--post-render-kustomize <dir>', 'pass what a chart renders through the kustomization of this folder')
      .option('--enable-helm', 'inflate the helmCharts of a kustomization'),
  )
}

/** Declares what becomes of the values of the revision before. */
export function addReuseOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--reuse-values', 'lay the values over those of the revision before').conflicts([
        'resetValues',
        'resetThenReuseValues',
      ]),
    )
    .addOption(
      new Option('--reset-values', 'forget the values of the revision before').conflicts('resetThenReuseValues'),
    )
    .option('--reset-then-reuse-values', 'take the source’s new defaults, then as --reuse-values')
}

/** Declares the flags that a plan decides by. */
export function addDecisionOptions(command: Command): Command {
  return addForeignOptions(
    addCrdOption(command)
      .option('--no-hooks', 'run no hooks')
      .option('--description <text>', 'what the history says about the revision')
      .option(
        '--force-conflicts',
        'take fields that another manager owns and the release sets otherwise; fields that others added stay',
      ),
  )
    .option('--take-ownership', 'take objects that exist and do not belong to the release')
    .option('--replace', 'delete and create again what cannot be changed in place')
    .addOption(
      new Option('--adopt <tool>', 'take over what this tool applied; may be repeated')
        .choices(['kubectl', 'helm'])
        .argParser((value: string, previous: string[] | undefined) => collect(value, previous)),
    )
    .option('--create-namespace', 'create the namespace if there is none')
    .option('--history-max <number>', 'how many revisions are kept, 0 for all (default: 10)', wholeNumber)
    .option(
      '--labels <key=value>',
      'labels of the release, kept by later revisions until key=null; may be repeated',
      collectLabels,
    )
}

/** Declares the flag that allows to delete CRDs that others use. */
export function addCrdOption(command: Command): Command {
  return command.option(
    '--delete-custom-resources',
    'delete CRDs although custom resources that the release does not own are deleted with them',
  )
}

/** Declares the flags of how an operation is carried out. */
export function addRunOptions(command: Command): Command {
  return addProgressOption(
    addHealthUrlOptions(command)
      .option('--wait', 'wait until everything is ready')
      .option('--wait-for-jobs', 'with --wait or --atomic, wait until the Jobs have completed too')
      .option('--atomic', 'go back to where the release was when something fails; implies --wait')
      .option(
        '--timeout <duration>',
        'limit of the whole command: fetching the source, the lock, hooks and waits (default: 5m)',
        parseDuration,
      )
      .option('--no-wave-wait', 'apply the next wave without waiting until the one before is ready')
      .option(
        '--health-timeout <duration>',
        'limit for each wave to become healthy, checks included (default: what is left of --timeout)',
        parseDuration,
      )
      .option(
        '--stabilization <duration>',
        'how long everything has to stay healthy before the release counts as good; waits as --wait does',
        parseDuration,
      )
      .option(
        '--fail-grace <duration>',
        'how long a failure that may heal by itself may last, 0s for not at all (default: a missing Secret or ConfigMap 60s, an image that cannot be pulled 30s, other container errors 10s, a crash loop 0s)',
        parseDuration,
      )
      .option(
        '--status-grace <duration>',
        'how long to wait for the first status of a custom resource once all else is ready; without one it counts as ready then (default: 10s)',
        parseDuration,
      )
      .addOption(
        new Option('--on-error <policy>', 'go on past objects that cannot be applied, or stop (default: stop)').choices(
          ['stop', 'continue'],
        ),
      )
      .option('--concurrency <number>', 'requests in flight (default: 32)', wholeNumber),
  )
}

/** Declares which addresses health checks may ask. */
export function addHealthUrlOptions(command: Command): Command {
  return command
    .option(
      '--allow-health-url <host>',
      'host that health-check-url annotations may have asked; HOST or HOST:PORT, may be repeated',
      collect,
    )
    .option('--allow-local-health-url', 'let these hosts be this machine or link-local addresses too')
}

/** Which addresses flags let health checks ask. */
export function healthUrlsOf({ allowHealthUrl, allowLocalHealthUrl }: HealthUrlFlags): HealthUrls | undefined {
  return allowHealthUrl === undefined
    ? undefined
    : { hosts: allowHealthUrl, ...defined({ local: allowLocalHealthUrl }) }
}

/** Flags of addresses that health checks may ask. */
export type HealthUrlFlags = Pick<RunFlags, 'allowHealthUrl' | 'allowLocalHealthUrl'>

/** Declares how progress is shown. */
export function addProgressOption(command: Command): Command {
  return command.addOption(
    new Option('--progress <style>', 'progress on stderr: a live view on a terminal, lines, JSON lines, or none')
      .choices(['auto', 'plain', 'json', 'none'])
      .default('auto'),
  )
}

/** The source and the values that flags name. */
export function contentInputs(io: Io, source: string, flags: ContentFlags): ContentInputs {
  const set = [
    ...texts('set-json', flags.setJson),
    ...texts('set', flags.set),
    ...texts('set-string', flags.setString),
    ...texts('set-file', flags.setFile),
    ...texts('set-literal', flags.setLiteral),
  ]
  const mode = valuesMode(flags)
  if ([source, ...(flags.values ?? [])].filter((place) => place === '-').length > 1) {
    throw new LadingError('usage.invalid', 'standard input can be read once: - is given for several things')
  }
  return {
    source: isElsewhere(io, source, flags) ? source : pathFrom(io, source),
    ...(flags.values === undefined ? {} : { files: valuesFiles(io, flags.values) }),
    ...(set.length === 0 ? {} : { set }),
    ...defined({
      mode,
      recursive: flags.recursive,
      enableHelm: flags.enableHelm,
      chart: chartOptions(io, flags),
      remote: remoteOptions(flags),
    }),
  }
}

/** What flags decide about a plan. */
export function plannedOptions(flags: DecisionFlags): PlannedOptions {
  const { description, takeOwnership, replace, adopt, createNamespace, historyMax, labels, keepHistory } = flags
  const { deleteCustomResources } = flags
  return {
    ...foreignOptions(flags),
    ...defined({
      description,
      takeOwnership,
      deleteCustomResources,
      replace,
      adopt,
      createNamespace,
      historyMax,
      labels,
      keepHistory,
      noHooks: flags.hooks === false ? true : undefined,
      conflicts: flags.forceConflicts === true ? ('force' as const) : undefined,
    }),
  }
}

/** How flags want an operation to be carried out. */
export function runOptions(flags: RunFlags): RunOptions {
  const { wait, waitForJobs, atomic, timeout, concurrency, onError, healthTimeout, stabilization } = flags
  const { failGrace, statusGrace } = flags
  if (waitForJobs === true && wait !== true && atomic !== true && stabilization === undefined) {
    throw new LadingError('usage.invalid', '--wait-for-jobs has no effect here: give --wait or --atomic too')
  }
  return defined({
    wait,
    waitForJobs,
    atomic,
    timeoutMs: timeout,
    concurrency,
    onError,
    healthTimeoutMs: healthTimeout,
    stabilizationMs: stabilization,
    failGraceMs: failGrace,
    statusGraceMs: statusGrace,
    waveWait: flags.waveWait === false ? false : undefined,
    healthUrls: healthUrlsOf(flags),
  })
}

/** How flags want a release to be uninstalled. */
export function uninstallOptions(flags: DecisionFlags & RunFlags): UninstallOptions {
  const { noHooks, description, keepHistory, deleteCustomResources } = plannedOptions(flags)
  const { wait, timeoutMs } = runOptions(flags)
  return defined({ noHooks, description, keepHistory, deleteCustomResources, wait, timeoutMs })
}

/** As of Helm's flag, what is no file may be several, with commas between them. */
function valuesFiles(io: Io, given: readonly string[]): string[] {
  return given
    .flatMap((text) => (existsSync(resolve(io.cwd, text)) ? [text] : text.split(',')))
    .map((file) => pathFrom(io, file))
}

/** Whether a source names a chart of a repository, which is no path. */
function isElsewhere(io: Io, source: string, { repo }: ContentFlags): boolean {
  return repo !== undefined || (/^[^./\\][^/\\]*\/[^/\\]+$/.test(source) && !existsSync(resolve(io.cwd, source)))
}

function chartOptions(io: Io, flags: ContentFlags): ContentInputs['chart'] {
  const { version, repo, kubeVersion, apiVersions, skipCrds, skipSchemaValidation, skipTests, postRenderKustomize } =
    flags
  const { followLinks } = flags
  const options = defined({
    version,
    repo,
    kubeVersion,
    apiVersions,
    skipCrds,
    skipSchemaValidation,
    skipTests,
    followLinks,
    postRenderKustomize: postRenderKustomize === undefined ? undefined : pathFrom(io, postRenderKustomize),
  })
  return Object.keys(options).length === 0 ? undefined : options
}

function collectList(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...text.split(',')]
}

function valuesMode(flags: ContentFlags): ContentInputs['mode'] {
  if (flags.reuseValues === true) return 'reuse'
  if (flags.resetValues === true) return 'reset'
  return flags.resetThenReuseValues === true ? 'reset-then-reuse' : undefined
}

type SetFlags = NonNullable<ContentInputs['set']>

function texts(flag: SetFlags[number]['flag'], given: readonly string[] = []): SetFlags {
  return given.map((text) => ({ flag, text }))
}

function collectLabels(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [key = '', ...value] = pair.split('=')
    return [key, value.join('=')] as const
  })
  return { ...previous, ...Object.fromEntries(pairs) }
}

/** The option for the fields of what a plan creates. */
export function showCreatesOption(more = ''): Option {
  return new Option('--show-creates', `print the fields of objects that would be created too${more}`)
}

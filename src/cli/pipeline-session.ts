import { rmdir } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type Context, context, defined } from '../core/index.ts'
import type { RegistryOptions } from '../oci/index.ts'
import type {
  ClusterOf,
  EngineAccess,
  FollowPart,
  JobStore,
  Pipeline,
  PipelineServices,
  RegistryAccess,
} from '../pipeline/index.ts'
import { connectOptions, pathFrom, type StorageOptions, storeConfig } from './connect.ts'
import { follow } from './print/follow.ts'
import { readSigningKey } from './commands/artifact/sign.ts'
import { jobDemands } from './options/job-demands.ts'
import type { Io } from './io.ts'
import { lineLog } from './print/line-log.ts'
import { collect } from './options/options.ts'
import { type PlanKeyFlags, readPlanKeys } from './options/plan-options.ts'
import { type ArtifactFlags, artifactAccess, registryOptions } from './options/registry-options.ts'
import { type HealthUrlFlags, healthUrlsOf, type RunFlags } from './options/release-options.ts'
import { openRemote } from './options/remote-options.ts'

/** Flags of every command of the pipeline. */
export interface PipelineFlags
  extends StorageOptions, ArtifactFlags, PlanKeyFlags, HealthUrlFlags, Pick<RunFlags, 'progress'> {
  readonly jobs?: string
  readonly jobsKey?: string
  readonly credentials?: readonly string[]
  readonly sign?: string
}

/** Everything that a command of the pipeline works with. */
export interface PipelineSession {
  readonly pipeline: Pipeline
  readonly worker: string
  readonly ctx: Context
  /** Follows an operation on stderr, in the style that the flags ask for. */
  readonly follow: FollowPart
}

/** Declares where jobs are kept. */
export function addJobsOption(command: Command): Command {
  return command
    .option('--jobs <file>', 'where jobs are kept (default: $LADING_JOBS, or the user’s state folder)')
    .option(
      '--jobs-key <file>',
      'key that jobs are encrypted with (default: $LADING_JOBS_KEY, or the user’s config folder)',
    )
}

/** Declares the credentials that components may name. */
export function addCredentialsOption(command: Command): Command {
  return command.option(
    '--credentials <name=dir>',
    'folder with a docker config.json for components with that credentials_ref; may be repeated',
    collect,
  )
}

/** Declares the key that artifacts are signed with. */
export function addSignOption(command: Command): Command {
  return command.option('--sign <file>', 'private key to sign built artifacts with; its password is $COSIGN_PASSWORD')
}

/** Opens the store of jobs alone. */
export async function withJobs<Result>(
  io: Io,
  options: PipelineFlags,
  work: (store: JobStore, ctx: Context) => Promise<Result>,
): Promise<Result> {
  const { openJobStore } = await import('../pipeline/index.ts')
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  const store = openJobStore(jobsFile(io, options), ctx.clock, jobsKeyFile(io, options))
  try {
    return await work(store, ctx)
  } finally {
    store.close()
  }
}

/** Runs a command's work with a store of jobs, registries and, when a job asks for it, the cluster. */
export async function withPipeline<Result>(
  io: Io,
  options: PipelineFlags,
  work: (session: PipelineSession) => Promise<Result>,
): Promise<Result> {
  const access = await artifactAccess(io, options)
  const demands = await jobDemands(io, options)
  const planKeys = await readPlanKeys(io, options)
  const named = await namedRegistries(io, options)
  const signingKey = options.sign === undefined ? undefined : await readSigningKey(io, options.sign)
  // Beside the store, so that whoever takes a job over finds and removes what the runner before left of it.
  const workspace = `${jobsFile(io, options)}.work`
  return withJobs(io, options, async (store, ctx) => {
    const { openRepository, sourceDate } = await import('../oci/index.ts')
    const created = sourceDate(io.env)
    const services: PipelineServices = {
      open: (reference, { credentialsRef: ref, access: wanted } = {}) =>
        openRepository(reference, reachedAs(ref === undefined ? access.registry : named(ref), wanted)),
      workspace,
      identities: access.identities,
      verifyKeys: access.verifyKeys,
      planKeys,
      ...defined({ signingKey, healthUrls: healthUrlsOf(options) }),
      clock: ctx.clock,
      openRemote: openRemote(io, options),
      engine: (wanted) => openEngine(io, options, wanted, ctx),
      ...(created === undefined ? {} : { created }),
    }
    const worker = `${hostname()}/${process.pid}`
    const cluster: ClusterOf = (own) => identityOf(io, options, own)
    const pipeline: Pipeline = { store, services, worker, demands, cluster }
    const shown = (title: string) => ({ title, progress: options.progress })
    try {
      return await work({ pipeline, worker, ctx, follow: (part, title) => follow(part, shown(title), io, ctx) })
    } finally {
      // Others may still work there, or nobody did.
      await rmdir(workspace).catch(() => undefined)
    }
  })
}

/** Reads `NAME=VALUE`. */
export function collectInput(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('expected NAME=VALUE.')
  return { ...previous, [text.slice(0, at)]: text.slice(at + 1) }
}

async function openEngine(io: Io, options: PipelineFlags, access: EngineAccess, ctx: Context) {
  const [{ connect }, { createStore }] = await Promise.all([import('../kube/index.ts'), import('../release/index.ts')])
  const { as, as_groups: asGroups, storage = storeConfig(io, options) } = access
  const cluster = await connect({ ...connectOptions(io, options), ...defined({ as, asGroups }) }, ctx)
  return { cluster, store: createStore(storage, cluster), close: () => cluster.close() }
}

async function identityOf(io: Io, options: PipelineFlags, ctx: Context): Promise<string> {
  const { clusterIdentity, connect } = await import('../kube/index.ts')
  const cluster = await connect(connectOptions(io, options), ctx)
  try {
    return await clusterIdentity(cluster, ctx)
  } finally {
    await cluster.close()
  }
}

/** The runner's own way to a registry, with what the job says about it. */
function reachedAs(own: RegistryOptions, access: RegistryAccess = {}) {
  const { plain_http, registry_ca, insecure_skip_tls_verify, token_hosts } = access
  return {
    ...own,
    ...(plain_http === true ? { plainHttp: true } : {}),
    ...(token_hosts === undefined ? {} : { tokenHosts: token_hosts }),
    ...(registry_ca === undefined ? {} : { ca: registry_ca }),
    ...(insecure_skip_tls_verify === true ? { insecure: true } : {}),
  }
}

async function namedRegistries(io: Io, options: PipelineFlags) {
  const { LadingError } = await import('../core/index.ts')
  const known = new Map<string, Awaited<ReturnType<typeof registryOptions>>>()
  for (const text of options.credentials ?? []) {
    const [[name, folder]] = Object.entries(collectInput(text)) as [[string, string]]
    known.set(name, await registryOptions(io, options, pathFrom(io, folder)))
  }
  return (name: string) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const problem = `the component wants the credentials ${name}: give them with --credentials ${name}=FOLDER`
    throw new LadingError('config.invalid', problem, { field: 'oci_artifact.credentials_ref' })
  }
}

function jobsFile(io: Io, { jobs }: PipelineFlags): string {
  const given = jobs ?? io.env['LADING_JOBS']
  if (given !== undefined && given !== '') return pathFrom(io, given)
  const state = io.env['XDG_STATE_HOME'] || join(io.env['HOME'] || homedir(), '.local', 'state')
  return join(state, 'lading', 'jobs.db')
}

// Not beside the jobs: whoever copies or backs up their folder must not take the key along.
function jobsKeyFile(io: Io, { jobsKey }: PipelineFlags): string {
  const given = jobsKey ?? io.env['LADING_JOBS_KEY']
  if (given !== undefined && given !== '') return pathFrom(io, given)
  const config = io.env['XDG_CONFIG_HOME'] || join(io.env['HOME'] || homedir(), '.config')
  return join(config, 'lading', 'jobs.key')
}

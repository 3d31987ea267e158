import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Context, context, defined, during, isLadingError, withinDeadline } from '../core/index.ts'
import type { Connected, ConnectOptions } from '../kube/index.ts'
import type { ReleaseEngine, StoreConfig } from '../release/index.ts'
import type { Io } from './io.ts'
import { lineLog } from './print/line-log.ts'
import type { GlobalOptions } from './options/options.ts'

/** Where the records of releases are kept. */
export interface StorageOptions extends GlobalOptions {
  readonly storage?: StoreConfig['driver']
  readonly storageNamespace?: string
  readonly storagePath?: string
  readonly storageCompression?: NonNullable<StoreConfig['compression']>
  readonly storageLarge?: NonNullable<StoreConfig['largeReleaseStrategy']>
}

/** What a command on releases works with. */
export interface Session {
  readonly engine: ReleaseEngine
  readonly cluster: Connected
  /** The one that was asked for, or that of the context. */
  readonly namespace: string
  readonly ctx: Context
}

/** Declares the options that say where records are kept. */
export function addStorageOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--storage <driver>', 'what keeps the records; secrets unless $LADING_STORAGE says otherwise').choices(
        ['secrets', 'configmap', 'file', 'helm'],
      ),
    )
    .option('--storage-namespace <name>', 'keep the records of all namespaces in this one')
    .option('--storage-path <dir>', 'folder of the storage `file`')
    .addOption(
      new Option('--storage-compression <codec>', 'how records are written; any is read (default: zstd)').choices([
        'zstd',
        'gzip',
        'none',
      ]),
    )
    .addOption(
      new Option(
        '--storage-large <strategy>',
        'what becomes of a record that one object cannot hold (default: chunked)',
      ).choices(['chunked', 'separate-manifests', 'fail']),
    )
}

/**
 * As `withSession`, for a command with a time limit. It covers everything: connecting, fetching the source and rendering it, the lock, hooks
 * and waits.
 */
export async function withTimedSession<Result>(
  io: Io,
  options: StorageOptions & { readonly timeout?: number },
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  return await withinDeadline(options.timeout ?? defaultTimeoutMs, ctx, (timed) =>
    openSession(io, options, work, timed),
  )
}

/** The default time limit of a command that has one. */
const defaultTimeoutMs = 300_000

/** Runs a command's work on the cluster and the store that its options name, and closes the connection after it. */
export async function withSession<Result>(
  io: Io,
  options: StorageOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return await openSession(io, options, work, context({ signal: io.signal, log: lineLog(options.logLevel, io) }))
}

async function openSession<Result>(
  io: Io,
  options: StorageOptions,
  work: (session: Session) => Promise<Result>,
  ctx: Context,
): Promise<Result> {
  const [{ connect }, { createStore }] = await Promise.all([import('../kube/index.ts'), import('../release/index.ts')])
  const cluster = await during('connecting to the cluster', ctx, () => connect(connectOptions(io, options), ctx))
  try {
    const engine = { cluster, store: createStore(storeConfig(io, options), cluster) }
    return await work({ engine, cluster, namespace: cluster.namespace, ctx })
  } finally {
    await cluster.close()
  }
}

/** What a command that only reads records works with. */
export interface RecordSession {
  readonly store: ReleaseEngine['store']
  readonly namespace: string
  readonly ctx: Context
}

/** Runs a command's work on the store that its options name. Records in files need no cluster, and none is asked then. */
export async function withRecords<Result>(
  io: Io,
  options: StorageOptions,
  work: (session: RecordSession) => Promise<Result>,
): Promise<Result> {
  const config = storeConfig(io, options)
  if (config.driver !== 'file') {
    return await withSession(io, options, ({ engine, namespace, ctx }) => work({ store: engine.store, namespace, ctx }))
  }
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  const { createStore } = await import('../release/index.ts')
  const namespace = options.namespace ?? (await namespaceOfContext(io, options, ctx))
  return await work({ store: createStore(config), namespace, ctx })
}

/** The namespace of the kubeconfig's context; `default` where there is no kubeconfig. */
async function namespaceOfContext(io: Io, options: StorageOptions, ctx: Context): Promise<string> {
  const { connect } = await import('../kube/index.ts')
  try {
    const cluster = await connect(connectOptions(io, options), ctx)
    await cluster.close()
    return cluster.namespace
  } catch (error) {
    if (isLadingError(error, 'kubeconfig.not-found')) return 'default'
    throw error
  }
}

/** A path as the user means it: from the folder in which the command runs. */
export function pathFrom(io: Io, path: string): string {
  // What is no file of a folder stays as it is; so does every path where it means the same, for it is shown and recorded.
  if (path === '-' || /^[a-z][a-z\d+.-]+:\/\//i.test(path) || io.cwd === process.cwd()) return path
  return resolve(io.cwd, path)
}

/** The folder that the user's paths start from; undefined if it is that of this process, where paths are shown as they were given. */
export function folderOf(io: Io): string | undefined {
  return io.cwd === process.cwd() ? undefined : io.cwd
}

/** How to connect, from the options that every command understands. */
export function connectOptions(io: Io, options: GlobalOptions): ConnectOptions {
  const { kubeconfig, context: name, namespace, as, asGroup } = options
  const discoveryCacheDir = cacheFolder(io.env)
  return defined({
    env: io.env,
    kubeconfig: kubeconfig === undefined ? undefined : pathFrom(io, kubeconfig),
    context: name,
    namespace,
    as,
    asGroups: asGroup,
    discoveryCacheDir,
  })
}

/** Where records are kept, from the options and the environment. */
export function storeConfig(io: Io, options: StorageOptions): StoreConfig {
  const driver = options.storage ?? (io.env['LADING_STORAGE'] as StoreConfig['driver'] | undefined) ?? 'secrets'
  const path = options.storagePath ?? io.env['LADING_STORAGE_PATH']
  const storageNamespace = options.storageNamespace ?? io.env['LADING_STORAGE_NAMESPACE']
  return {
    driver,
    ...defined({
      storageNamespace,
      path: path === undefined ? undefined : pathFrom(io, path),
      compression: options.storageCompression,
      largeReleaseStrategy: options.storageLarge,
    }),
  }
}

/** Where the user's programs keep what can be fetched again; nothing is kept where there is no such place. */
function cacheFolder(env: Io['env']): string | undefined {
  const cache = env['XDG_CACHE_HOME']
  if (cache !== undefined && cache !== '') return join(cache, 'lading', 'discovery')
  if ((env['HOME'] ?? '') === '') return undefined
  const folder = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
  return join(homedir(), folder, 'lading', 'discovery')
}

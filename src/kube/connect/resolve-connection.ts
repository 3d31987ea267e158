import { createHash } from 'node:crypto'
import { LadingError, stringifyJson } from '../../core/index.ts'
import { normalizeServer, readClusterEntry } from './cluster-entry.ts'
import type { Connection, TlsSettings } from './connection.ts'
import { Fields } from './fields.ts'
import { fixedSource } from './credential-source.ts'
import { bearer } from './header-value.ts'
import { type Impersonation, impersonationHeaders, readImpersonation } from './impersonation.ts'
import { inClusterConnection, serviceAccountDirectory } from './in-cluster.ts'
import { type Kubeconfig, type KubeconfigOptions, loadKubeconfig } from './load-kubeconfig.ts'
import { proxyFromEnvironment } from './proxy.ts'
import { readUserEntry } from './user-entry.ts'

/** Which API server, and who asks. */
export interface ConnectionOptions extends KubeconfigOptions {
  /** Instead of the kubeconfig's current context. */
  readonly context?: string
  /** URL of an API server; no kubeconfig is read then. */
  readonly server?: string
  /** Bearer token, instead of the kubeconfig's user. */
  readonly token?: string
  /** PEM bundle to trust, instead of the kubeconfig's. */
  readonly ca?: string
  /** Accepts any certificate. */
  readonly insecure?: boolean
  /** User to impersonate, with uid and groups; replaces the kubeconfig's. */
  readonly as?: string
  readonly asUid?: string
  readonly asGroups?: readonly string[]
  /** Instead of the context's. */
  readonly namespace?: string
  /** Where a pod's service account is mounted. */
  readonly serviceAccountDir?: string
  /** Whether a person can answer a credential program on standard input; defaults to whether that is a terminal. */
  readonly terminal?: boolean
}

/** A connection and the namespace to work in. */
export interface ResolvedConnection {
  readonly connection: Connection
  readonly namespace: string
}

/** Finds out where to connect and as whom: explicit server, kubeconfig, in-cluster, in this order. */
export async function resolveConnection(options: ConnectionOptions): Promise<ResolvedConnection> {
  const given = withoutEmpty(options)
  const resolved = await find(given)
  return given.namespace === undefined ? resolved : { ...resolved, namespace: given.namespace }
}

/** An empty value is an option that was not given, as flags and variables of scripts often are. */
function withoutEmpty(options: ConnectionOptions): ConnectionOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''))
}

async function find(options: ConnectionOptions): Promise<ResolvedConnection> {
  if (options.server !== undefined) return explicit(options, options.server)
  const kubeconfig = await loadKubeconfig(options)
  if (kubeconfig !== undefined) return fromKubeconfig(kubeconfig, options)
  const env = options.env ?? process.env
  const directory = options.serviceAccountDir ?? serviceAccountDirectory
  const headers = optionHeaders(options) ?? {}
  const inside = await inClusterConnection(env, directory, headers)
  if (inside === undefined)
    throw new LadingError('kubeconfig.not-found', 'there is no kubeconfig, and this is no pod of a cluster')
  const { connection, namespace } = inside
  const tls = overrideTls(connection.tls, options)
  if (options.token === undefined) return { namespace, connection: { ...withIdentity(connection, options), tls } }
  const identity = withHeaders(tokenIdentity(options.token), headers)
  const source = fixedSource({ headers: { ...headers, ...tokenHeader(options.token) } })
  return { namespace, connection: { ...connection, tls, identity, refresh: undefined, ...source } }
}

function explicit(options: ConnectionOptions, given: string): ResolvedConnection {
  if (options.kubeconfig !== undefined || options.kubeconfigText !== undefined || options.context !== undefined) {
    throw usage('give either a server or a kubeconfig: its credentials must not go to another server')
  }
  const server = normalizeServer(given, (problem) => usage(`the server ${problem}`))
  const headers = { ...optionHeaders(options), ...tokenHeader(options.token) }
  const proxyUrl = proxyFromEnvironment(server, options.env ?? process.env)
  const connection: Connection = {
    server,
    tls: overrideTls({}, options),
    proxyUrl,
    identity: options.token === undefined ? 'anonymous' : tokenIdentity(options.token),
    ...fixedSource({ headers }),
  }
  return { connection: withIdentity(connection, options), namespace: 'default' }
}

async function fromKubeconfig(kubeconfig: Kubeconfig, options: ConnectionOptions): Promise<ResolvedConnection> {
  const env = options.env ?? process.env
  const context = pickContext(kubeconfig, options.context)
  const clusterName = context.text('cluster')
  if (clusterName === undefined) throw context.invalid('cluster', 'is missing')
  const clusterFields = kubeconfig.clusters.get(clusterName)
  if (clusterFields === undefined) throw context.invalid('cluster', `names ${clusterName}, which is not there`)
  const entry = await readClusterEntry(clusterFields, env)
  const cluster = { ...entry, tls: overrideTls(entry.tls, options) }
  const userName = context.text('user')
  const user = userName === undefined ? new Fields(context.source, '', {}) : kubeconfig.users.get(userName)
  if (user === undefined) throw context.invalid('user', `names ${userName}, which is not there`)

  const headers = optionHeaders(options) ?? impersonationOf(user)
  const terminal = options.terminal ?? process.stdin.isTTY
  const source =
    options.token === undefined
      ? readUserEntry(user, { cluster, env, terminal, headers })
      : fixedSource({ headers: { ...headers, ...tokenHeader(options.token) } })
  const identity = options.token === undefined ? `user:${userName ?? ''}` : tokenIdentity(options.token)
  const connection: Connection = {
    server: cluster.server,
    tls: cluster.tls,
    proxyUrl: cluster.proxyUrl,
    identity: withHeaders(identity, headers),
    ...source,
  }
  return { connection, namespace: context.text('namespace') ?? 'default' }
}

function pickContext(kubeconfig: Kubeconfig, wanted: string | undefined): Fields {
  const name = wanted ?? kubeconfig.currentContext
  const files = kubeconfig.sources.map((source) => source.name).join(', ')
  const contexts = [...kubeconfig.contexts.keys()]
  const details = { files, contexts }
  if (name === undefined) throw new LadingError('kubeconfig.invalid', `${files}: current-context is not set`, details)
  const context = kubeconfig.contexts.get(name)
  if (context !== undefined) return context
  throw new LadingError('kubeconfig.invalid', `${files}: there is no context ${name}`, { ...details, context: name })
}

function overrideTls(tls: TlsSettings, options: ConnectionOptions): TlsSettings {
  const { ca, insecure } = options
  if (ca !== undefined && insecure === true) throw usage('a certificate authority and --insecure exclude each other')
  if (insecure === true) return { serverName: tls.serverName, insecure }
  return ca === undefined ? tls : { serverName: tls.serverName, ca }
}

function optionHeaders(options: ConnectionOptions): Record<string, string | string[]> | undefined {
  const { as: user, asUid: uid, asGroups: groups = [] } = options
  if (user === undefined && uid === undefined && groups.length === 0) return undefined
  const who: Impersonation = { user, uid, groups }
  return impersonationHeaders(who, (problem) => usage(`impersonation: ${problem}`))
}

function impersonationOf(user: Fields): Record<string, string | string[]> {
  return impersonationHeaders(readImpersonation(user), (problem) => user.invalid('as', `cannot be used: ${problem}`))
}

function tokenHeader(token: string | undefined): { authorization?: string } {
  return token === undefined ? {} : { authorization: bearer(token, (problem) => usage(`the token ${problem}`)) }
}

/** Eight digits tell tokens apart in a cache and are far too few to confirm a guess. */
function tokenIdentity(token: string): string {
  return `token:${createHash('sha256').update(token).digest('hex').slice(0, 8)}`
}

function withIdentity(connection: Connection, options: ConnectionOptions): Connection {
  return { ...connection, identity: withHeaders(connection.identity, optionHeaders(options) ?? {}) }
}

function withHeaders(identity: string, impersonation: Record<string, string | string[]>): string {
  return Object.keys(impersonation).length === 0 ? identity : `${identity} as ${stringifyJson(impersonation)}`
}

function usage(problem: string): LadingError {
  return new LadingError('usage.invalid', problem)
}

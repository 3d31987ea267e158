import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { FileTree } from './file-tree.ts'

/** A repository that a kustomization refers to. */
export interface RemoteRepository {
  readonly type: 'git'
  /** Its address, without the path of a folder and without parameters. */
  readonly url: string
  /** A commit, a tag or a branch; empty where none is given. */
  readonly ref: string
  /** Whether its submodules are fetched too. */
  readonly submodules: boolean
  /** How long fetching may take. */
  readonly timeoutMs?: number
  /** The address of the remote base that refers to it; a base of the internet must not lead into a private network. */
  readonly namedBy?: string
}

/** A single file that a kustomization refers to by its address. */
export interface RemoteFile extends Pick<RemoteRepository, 'url' | 'namedBy'> {
  readonly type: 'file'
}

/** A chart of `helmCharts` that is not in the tree. */
export interface RemoteChart extends Pick<RemoteRepository, 'namedBy'> {
  readonly type: 'chart'
  /** Address of a chart repository, or `oci://…`. */
  readonly repo: string
  readonly name: string
  readonly version: string
}

/** Something on another host that a build needs. */
export type RemoteRequest = RemoteRepository | RemoteFile | RemoteChart

/** What was fetched, so that a later build can be held to it; addresses without credentials and queries. */
export type RemoteRecord =
  | { readonly type: 'git'; readonly url: string; readonly ref: string; readonly commit: string }
  | { readonly type: 'file'; readonly url: string; readonly digest: string }
  | {
      readonly type: 'chart'
      readonly url: string
      readonly name: string
      readonly version: string
      readonly digest: string
    }

/** What a request came to. */
export type FetchedRemote = { readonly record: RemoteRecord } & (
  | { readonly type: 'git'; readonly tree: FileTree }
  | { readonly type: 'file'; readonly content: Uint8Array }
  | { readonly type: 'chart'; readonly files: ReadonlyMap<string, Uint8Array> }
)

/** Gives what was fetched before, and undefined for what was not. */
export type KnownRemotes = (request: RemoteRequest) => FetchedRemote | undefined

/** What tells one request from another: who refers to it and how long it may take do not make it something else. */
export function remoteKey(request: RemoteRequest): string {
  const { namedBy: _, ...rest } = request
  return stringifyJson(rest.type === 'git' ? { ...rest, timeoutMs: 0 } : rest)
}

/** The refusal of a remote path in a build that was given nothing to fetch with. */
export function refuseRemote(path: string): LadingError {
  const host = hostOf(path)
  const problem = `${withoutCredentials(path)} is on another host: give --allow-remote ${host === '' ? 'HOST' : host} to fetch it from there`
  return new LadingError('kustomize.refused', problem, { host })
}

/** What a build says about something that is fetched before its next try. */
export function notFetched(address: string): LadingError {
  return new LadingError('kustomize.refused', `${withoutCredentials(address)} was not fetched`)
}

/** An address without user and password. */
export function withoutCredentials(path: string): string {
  return path.replace(/\/\/[^/@]*@/, '//').replace(/^[^/@:]*:[^/@]*@/, '')
}

function hostOf(path: string): string {
  const rest = path.replace(/^git::/, '').replace(/^[\w+-]+:\/\//, '')
  const isShort = !/^(?:git::)?[\w+-]+:\/\//.test(path)
  // In git@host:path the colon begins the path, not a port.
  return rest.replace(/^[^/@]*@/, '').split(isShort ? /[/:?]/ : /[/?]/)[0] ?? ''
}

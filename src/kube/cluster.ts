import type { Context, GroupVersionKind } from '../core/index.ts'
import type { Transport } from './transport/transport.ts'

/** A kind as the API server serves it. */
export interface ApiResource extends GroupVersionKind {
  /** The plural that paths use. */
  readonly resource: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** Names such as `status` and `scale`. */
  readonly subresources: readonly string[]
}

/** What the API server serves. */
export interface Discovery {
  /** The resource of a kind; an unknown one causes one refresh before the answer is undefined. */
  find(gvk: GroupVersionKind, ctx: Context): Promise<ApiResource | undefined>
  /** Every served resource, preferred versions first within a group. */
  all(ctx: Context): Promise<readonly ApiResource[]>
  /** Forgets what was read, for example after a CRD was applied. */
  invalidate(): void
}

/** A cluster under one identity: handed to every function that reads or writes objects. */
export interface Cluster {
  readonly transport: Transport
  readonly discovery: Discovery
}

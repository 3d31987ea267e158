import type { Clock, KubeObject } from '../core/index.ts'
import type { TokenOrder } from './auth/authentication/service-account-tokens.ts'
import type { RuleEnv } from './kinds/kind-rules.ts'
import type { ResourceCatalog } from './resource-type.ts'
import type { Store } from './store.ts'

/** What every verb works on. */
export interface Backend {
  readonly store: Store
  readonly catalog: ResourceCatalog
  readonly clock: Clock
  /** A fresh unique id. */
  uid(): string
  /** A few random letters for `generateName`. */
  suffix(): string
  /** A token that authenticates as a service account. */
  issueToken?(order: TokenOrder): { token: string; expires: number }
}

/** How a write was asked for. */
export interface WriteOptions {
  /** Work everything out and store nothing. */
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore'
  /** Take fields from other managers (server-side apply only). */
  readonly force: boolean
  readonly subresource: string
  /** Collects texts for `Warning` headers. */
  readonly warnings: string[]
  /** Refuses a writer who may not create what an apply or a PUT turns out to create. */
  readonly checkCreate?: () => void
}

/** The time as objects carry it: RFC 3339 in UTC, to the second. */
export function timestamp(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
}

/** What rules of kinds see of the sandbox. */
export function ruleEnv(backend: Backend): RuleEnv {
  return {
    now: timestamp(backend.clock),
    find: (collection, namespace, name) => backend.store.get(collection, namespace, name),
    all: (collection, namespace): KubeObject[] => backend.store.list(collection, namespace),
  }
}

import type { ContractCase as Case, ExpectedFailures } from '../../core/contract/index.ts'
import type { Context, KubeObject } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'

/** An API server under test. */
export interface ContractTarget {
  /** A connection with every right. */
  readonly admin: Cluster
  /** A connection of a known user without any right. */
  readonly unprivileged: Cluster
  /** Path of a kubeconfig whose current context is the admin. */
  readonly kubeconfig: string
  readonly expectedFailures?: ExpectedFailures
  close(): Promise<void>
}

/** What one case gets: a namespace of its own, so that cases can run side by side. */
export interface CaseContext {
  readonly cluster: Cluster
  readonly unprivileged: Cluster
  readonly kubeconfig: string
  readonly namespace: string
  /** Unique within the run; for the names of cluster-scoped objects. */
  readonly unique: string
  readonly ctx: Context
  /** Registers a cluster-scoped object to be deleted after the case. */
  cleanUp(object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>): void
}

/** One observable behaviour of a cluster as seen through `kube`. */
export type ContractCase = Case<CaseContext>

/** Names a case; sugar that keeps the sections readable. */
export function contractCase(name: string, run: (c: CaseContext) => Promise<void>): ContractCase {
  return { name, run }
}

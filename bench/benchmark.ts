import type { Context } from '../src/core/index.ts'
import type { Connected, Connection } from '../src/kube/index.ts'

/** One comparison of the bench. */
export interface Benchmark {
  /** What `--only` takes. */
  readonly name: string
  /** One sentence: what is compared to what. */
  readonly compares: string
  run(bench: BenchContext): Promise<readonly Table[]>
}

/** A table of the results; all cells are ready to be shown. */
export interface Table {
  readonly title: string
  /** What a reader must know to judge the numbers. */
  readonly note?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What a benchmark works with; what is expensive is made on first use. */
export interface BenchContext {
  /** How many objects, where the user said so. */
  readonly sizes: readonly number[] | undefined
  /** How many rounds, where the user said so. */
  readonly rounds: number | undefined
  readonly ctx: Context
  /** A temporary folder for the whole run. */
  readonly folder: string
  readonly clients: Clients
  /** The control plane that everything is measured against. */
  target(): Promise<Target>
  /** Folder of Lading as it is installed: built, no sources. */
  installed(): Promise<string>
  /** A new namespace in the target, removed after the benchmark. */
  freshNamespace(): Promise<string>
  /** Tells on standard error what is being measured. */
  progress(text: string): void
}

/** Paths of the clients that Lading is compared to. */
export interface Clients {
  readonly kubectl: string
  readonly helm: string
}

/** A control plane. */
export interface Target {
  readonly kubeconfig: string
  readonly connection: Connection
  readonly cluster: Connected
  /** Whether controllers run, so that a Deployment becomes ready. */
  readonly workloads: boolean
  /** How long it took to start, where this run started it. */
  readonly startMs: number | undefined
}

import type { KubeObject, ObjectRef } from '../../core/index.ts'
import type { RemoteRecord } from '../../render/kustomize/index.ts'

/** Where a release's objects came from. */
export interface SourceInfo {
  /** What kind of source it was rendered from. */
  readonly type: 'manifest' | 'kustomize' | 'chart' | 'pack' | 'program' | 'artifact'
  readonly name: string
  readonly version?: string
  readonly appVersion?: string
  /** The path or reference as the user gave it; never a credential. */
  readonly origin?: string
  /** Identifies the content: `sha256:…` of the artifact, or of the source's files. */
  readonly digest?: string
  /** What a kustomization was fetched from, so that a later build can be held to it. */
  readonly remotes?: readonly RemoteRecord[]
}

/** How far a revision is; tagged by `status`, in the words of the stored format. */
export type ReleaseState =
  | { readonly status: 'deployed' }
  | { readonly status: 'superseded' }
  | { readonly status: 'uninstalled' }
  | { readonly status: 'failed'; readonly reason: string; readonly recoverable: boolean; readonly failed_at: string }
  | PendingState
  | {
      readonly status: 'recovering'
      readonly from_status: PendingStatus
      readonly attempt: number
      readonly started_at: string
    }

/** An operation under way; `timeout` is the operation's own, in seconds, and decides when it counts as stale. */
export type PendingState =
  | { readonly status: 'pending-install'; readonly started_at: string; readonly timeout: number }
  | {
      readonly status: 'pending-upgrade'
      readonly started_at: string
      readonly timeout: number
      readonly previous_version: number
    }
  | {
      readonly status: 'pending-rollback'
      readonly started_at: string
      readonly timeout: number
      readonly target_version: number
    }
  | { readonly status: 'pending-uninstall'; readonly started_at: string; readonly timeout: number }

/** The status of a revision. */
export type ReleaseStatus = ReleaseState['status']

/** The statuses of operations under way. */
export type PendingStatus = PendingState['status']

/** Who a value came from. */
export type ValueSource =
  | 'schema-default'
  | 'pack-default'
  | 'chart-default'
  | 'values-file'
  | 'command-line'
  | 'environment'
  | 'merged'

/** For every path of the values, where it came from. */
export interface ValuesProvenance {
  readonly sources: Readonly<Record<string, ValueSource>>
  /** For every path that a file or a flag gave, the name of the file or the text of the flag. */
  readonly origins?: Readonly<Record<string, string>>
}

/** A phase of a release at which hooks run. */
export type HookPhase =
  | 'pre-install'
  | 'post-install'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'pre-delete'
  | 'post-delete'
  | 'test'

/** How a hook ended the last time. */
export interface HookRun {
  readonly phase: 'Succeeded' | 'Failed' | 'Running' | 'Unknown'
  readonly startedAt: string
  readonly completedAt?: string
}

/** A hook as a revision keeps it. */
export interface HookRecord {
  readonly object: KubeObject
  readonly phases: readonly HookPhase[]
  readonly weight: number
  /** Where in the source it stands. */
  readonly path?: string
  readonly lastRun?: HookRun
}

/** One object that a revision may have on the cluster. */
export interface InventoryEntry {
  readonly ref: ObjectRef
  /** Hash of the object as it was desired. */
  readonly hash: string
  /** The live version after the apply: while it stands, the object is as we left it. Absent until it was applied. */
  readonly resourceVersion?: string
  /** Of its generation and owners after the apply: while it stands, only the status can have changed. */
  readonly fingerprint?: string
  readonly uid?: string
  /** Of a Job that its time to live removes: whether it was seen to complete. */
  readonly completed?: boolean
}

/** One revision of a release. */
export interface ReleaseRecord {
  readonly name: string
  readonly namespace: string
  /** The revision, counted from 1. */
  readonly version: number
  readonly state: ReleaseState
  readonly pack: SourceInfo
  /** What the user gave and the defaults, merged. */
  readonly values: Readonly<Record<string, unknown>>
  /** What the user gave alone; `--reuse-values` starts from it. */
  readonly userValues?: Readonly<Record<string, unknown>>
  readonly valuesProvenance: ValuesProvenance
  /** The rendered objects without hooks, as YAML documents. */
  readonly manifest: string
  readonly hooks: readonly HookRecord[]
  /** Everything that the revision may have on the cluster: written before the first write, shrunk after the last delete. */
  readonly inventory: readonly InventoryEntry[]
  readonly labels: Readonly<Record<string, string>>
  /** The uid of `kube-system` of the cluster that the objects are on, in records outside of it; absent where it may not be read. */
  readonly cluster?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly notes?: string
  readonly description?: string
}

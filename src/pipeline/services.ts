import type { Clock } from '../core/index.ts'
import type { Reference, Target } from '../oci/index.ts'
import type { ReleaseEngine } from '../release/index.ts'

/** What the handlers of jobs work with: registries, a folder for what is passing, a cluster. */
export interface PipelineServices {
  /** Opens a repository, with the named credentials where a component asks for some. */
  readonly open: (reference: Reference, credentialsRef?: string) => Target
  /** Below it each job gets a folder of its own. */
  readonly workspace: string
  /** When artifacts are said to be made; the time of the commit, or the beginning of 1970, unless given. */
  readonly created?: Date
  /** Identities of age for encrypted artifacts. */
  readonly identities?: readonly string[]
  /** Public keys, in PEM: artifacts that none of them signed are not deployed. */
  readonly verifyKeys?: readonly string[]
  readonly clock: Clock
  /** Connects to the cluster that deploys go to; only deploys ask for it. */
  readonly engine?: () => Promise<ReleaseEngine & { close?(): Promise<void> }>
}

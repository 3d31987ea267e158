import type { Clock } from '../core/index.ts'
import type { Reference, SigningKey, Target } from '../oci/index.ts'
import type { HealthUrls, OpenRemote, ReleaseEngine, StoreConfig } from '../release/index.ts'

/** How a job's registries are reached; certificates are public, so nothing of it is a credential. */
export interface RegistryAccess {
  readonly plain_http?: boolean
  /** Certificate authority, in PEM. */
  readonly registry_ca?: string
  readonly insecure_skip_tls_verify?: boolean
  /** Hosts of token services that may have the registry's credentials. */
  readonly token_hosts?: readonly string[]
}

/** How a job works on its cluster: as whom, and where the records of releases are kept. */
export interface EngineAccess {
  readonly storage?: StoreConfig
  readonly as?: string
  readonly as_groups?: readonly string[]
}

/** What the handlers of jobs work with: registries, a folder for what is passing, a cluster. */
export interface PipelineServices {
  /** Opens a repository, with the named credentials where a component asks for some, and as the job says it is reached. */
  readonly open: (
    reference: Reference,
    how?: { readonly credentialsRef?: string | undefined; readonly access?: RegistryAccess | undefined },
  ) => Target
  /** Below it each job gets a folder of its own. */
  readonly workspace: string
  /** When artifacts are said to be made, where the job does not say; the time of the commit, or the beginning of 1970, unless given. */
  readonly created?: Date
  /** Identities of age for encrypted artifacts. */
  readonly identities?: readonly string[]
  /** Public keys, in PEM: artifacts that none of them signed are not used, whatever a job says. */
  readonly verifyKeys?: readonly string[]
  /** Public keys, in PEM: plans that none of them signed are not applied, whatever a job says. */
  readonly planKeys?: readonly string[]
  /** Signs every artifact that a build pushes, before a tag names it. */
  readonly signingKey?: SigningKey
  /** How other hosts are reached, for kustomizations that may fetch from them. */
  readonly openRemote?: OpenRemote
  /** Which addresses the url checks of objects may ask, whatever a job says; none unless told. */
  readonly healthUrls?: HealthUrls
  readonly clock: Clock
  /** Connects to the cluster that deploys go to; only deploys ask for it. */
  readonly engine?: (access: EngineAccess) => Promise<ReleaseEngine & { close?(): Promise<void> }>
}

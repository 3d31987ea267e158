import type { Context } from '../../core/index.ts'

/** What proves who a client is; never part of errors, logs or events. */
export interface Credential {
  readonly username?: string
  readonly password?: string
  /** Is exchanged for access tokens at the registry's token server (`identitytoken` in docker's config). */
  readonly refreshToken?: string
  /** Is sent to the registry as it is (`registrytoken` in docker's config). */
  readonly accessToken?: string
}

/** Which registry a credential is wanted for; credentials are bound to scheme, host and port. */
export interface CredentialRequest {
  /** Host, with the port where it is not the scheme's own. */
  readonly registry: string
  readonly repository?: string
  readonly plainHttp: boolean
}

/** Finds the credential for a registry; gives undefined if there is none. It is asked only when a registry wants one. */
export type CredentialSource = (wanted: CredentialRequest, ctx: Context) => Promise<Credential | undefined>

/** One credential, for one registry. */
export function staticCredential(registry: string, credential: Credential): CredentialSource {
  return async (wanted) => (wanted.registry === registry ? credential : undefined)
}
